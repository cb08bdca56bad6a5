/* Reads what a spacecraft packed (CCSDS 121).   unpack INPUT BYTES OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "coder.h"

int main(int argc, char **argv) {
    static unsigned char packed[512], samples[1024];
    struct aec_stream coder = CODER;
    int state = AEC_OK;
    if (argc != 4)
        return 2;
    size_t left = (size_t)atol(argv[2]);
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "wb");
    if (!input || !output || aec_decode_init(&coder) != AEC_OK)
        return 1;
    while (left && state == AEC_OK) {
        if (coder.avail_in == 0) {
            coder.next_in = packed;
            coder.avail_in = fread(packed, 1, sizeof packed, input);
        }
        coder.next_out = samples;
        coder.avail_out = left < sizeof samples ? left : sizeof samples;
        size_t before = coder.total_out;
        state = aec_decode(&coder, AEC_FLUSH);
        size_t made = coder.total_out - before;
        fwrite(samples, 1, made, output);
        left -= made;
        if (made == 0 && coder.avail_in == 0 && feof(input))
            break;
    }
    printf("%lu bytes, %lu lack\n", (unsigned long)coder.total_out, (unsigned long)left);
    aec_decode_end(&coder);
    fclose(input);
    return fclose(output) != 0 || state != AEC_OK;
}
