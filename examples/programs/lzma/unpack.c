/* Unpacks a file of xz, piece by piece.   unpack INPUT OUTPUT */
#include <stdio.h>

#include "lzma.h"

static const char *cause(lzma_ret state) {
    switch (state) {
    case LZMA_FORMAT_ERROR:
        return "not of xz";
    case LZMA_DATA_ERROR:
        return "damaged";
    case LZMA_BUF_ERROR:
        return "cut off";
    case LZMA_MEM_ERROR:
    case LZMA_MEMLIMIT_ERROR:
        return "too little memory";
    default:
        return "not understood";
    }
}

int main(int argc, char **argv) {
    static uint8_t packed[512], plain[2048];
    lzma_stream stream = LZMA_STREAM_INIT;
    lzma_ret state;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    state = lzma_stream_decoder(&stream, 1024 * 1024, 0);
    while (state == LZMA_OK) {
        if (stream.avail_in == 0) {
            stream.next_in = packed;
            stream.avail_in = fread(packed, 1, sizeof packed, input);
        }
        stream.next_out = plain;
        stream.avail_out = sizeof plain;
        state = lzma_code(&stream, stream.avail_in ? LZMA_RUN : LZMA_FINISH);
        fwrite(plain, 1, sizeof plain - stream.avail_out, output);
    }
    if (state == LZMA_STREAM_END)
        printf("%lu bytes\n", (unsigned long)stream.total_out);
    else
        puts(cause(state));
    lzma_end(&stream);
    fclose(input);
    return fclose(output) != 0 || state != LZMA_STREAM_END;
}
