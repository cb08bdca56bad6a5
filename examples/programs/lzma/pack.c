/* Packs a file into the format of xz, piece by piece.   pack INPUT OUTPUT PRESET */
#include <stdio.h>
#include <stdlib.h>

#include "lzma.h"

#define DICTIONARY_BYTES 32768

int main(int argc, char **argv) {
    static uint8_t plain[1024], packed[1024];
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_options_lzma options;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_action action = LZMA_RUN;
    lzma_ret state;
    if (argc != 4 || lzma_lzma_preset(&options, (uint32_t)atoi(argv[3])))
        return 2;
    options.dict_size = DICTIONARY_BYTES;
    options.mf = LZMA_MF_HC3;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    state = lzma_stream_encoder(&stream, filters, LZMA_CHECK_CRC32);
    stream.next_out = packed;
    stream.avail_out = sizeof packed;
    while (state == LZMA_OK) {
        if (stream.avail_in == 0 && action == LZMA_RUN) {
            stream.next_in = plain;
            stream.avail_in = fread(plain, 1, sizeof plain, input);
            if (stream.avail_in < sizeof plain)
                action = LZMA_FINISH;
        }
        state = lzma_code(&stream, action);
        if (stream.avail_out == 0 || state == LZMA_STREAM_END) {
            fwrite(packed, 1, sizeof packed - stream.avail_out, output);
            stream.next_out = packed;
            stream.avail_out = sizeof packed;
        }
    }
    printf("%lu bytes of %lu\n", (unsigned long)stream.total_out, (unsigned long)stream.total_in);
    lzma_end(&stream);
    fclose(input);
    return fclose(output) != 0 || state != LZMA_STREAM_END;
}
