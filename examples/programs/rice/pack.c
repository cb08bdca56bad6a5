/* Packs samples as a spacecraft does (CCSDS 121).   pack INPUT OUTPUT */
#include <stdio.h>

#include "coder.h"

int main(int argc, char **argv) {
    static unsigned char samples[1024], packed[512];
    struct aec_stream coder = CODER;
    int state, last;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output || aec_encode_init(&coder) != AEC_OK)
        return 1;
    do {
        coder.next_in = samples;
        coder.avail_in = fread(samples, 1, sizeof samples, input);
        last = coder.avail_in < sizeof samples;
        do {
            coder.next_out = packed;
            coder.avail_out = sizeof packed;
            state = aec_encode(&coder, last ? AEC_FLUSH : AEC_NO_FLUSH);
            fwrite(packed, 1, sizeof packed - coder.avail_out, output);
        } while (state == AEC_OK && coder.avail_out == 0);
    } while (state == AEC_OK && !last);
    printf("%lu bytes of %lu\n", (unsigned long)coder.total_out, (unsigned long)coder.total_in);
    aec_encode_end(&coder);
    fclose(input);
    return fclose(output) != 0 || state != AEC_OK;
}
