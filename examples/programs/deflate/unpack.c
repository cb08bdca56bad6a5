/* Decompresses a file in the format of RFC 1950 by zlib.   unpack INPUT OUTPUT */
#include <stdio.h>
#include <string.h>

#include "zlib.h"

enum { PART = 1024 };

int main(int argc, char **argv) {
    static unsigned char in[PART], out[PART];
    z_stream stream;
    int result = Z_OK;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    memset(&stream, 0, sizeof stream);
    if (input == NULL || output == NULL || inflateInit(&stream) != Z_OK)
        return 1;
    while (result != Z_STREAM_END) {
        if (stream.avail_in == 0) {
            stream.next_in = in;
            stream.avail_in = (uInt)fread(in, 1, sizeof in, input);
        }
        stream.next_out = out;
        stream.avail_out = sizeof out;
        result = inflate(&stream, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END) {
            fprintf(stderr, "%s: %s\n", argv[1], stream.msg ? stream.msg : "damaged");
            return 1;
        }
        fwrite(out, 1, sizeof out - stream.avail_out, output);
    }
    inflateEnd(&stream);
    fclose(input);
    return fclose(output) != 0;
}
