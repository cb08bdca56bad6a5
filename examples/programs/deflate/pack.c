/* Compresses a file by zlib, into the format of RFC 1950.   pack INPUT OUTPUT LEVEL */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "zlib.h"

enum { PART = 1024, WINDOW_BITS = 12, MEMORY_LEVEL = 5 };

int main(int argc, char **argv) {
    static unsigned char in[PART], out[PART];
    z_stream stream;
    int result;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    memset(&stream, 0, sizeof stream);
    if (input == NULL || output == NULL ||
        deflateInit2(&stream, atoi(argv[3]), Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return 1;
    do {
        stream.next_in = in;
        stream.avail_in = (uInt)fread(in, 1, sizeof in, input);
        int flush = feof(input) ? Z_FINISH : Z_NO_FLUSH;
        do {
            stream.next_out = out;
            stream.avail_out = sizeof out;
            result = deflate(&stream, flush);
            fwrite(out, 1, sizeof out - stream.avail_out, output);
        } while (stream.avail_out == 0);
    } while (result != Z_STREAM_END);
    printf("%lu to %lu bytes\n", stream.total_in, stream.total_out);
    deflateEnd(&stream);
    fclose(input);
    return fclose(output) != 0;
}
