/* Unpacks a frame of Zstandard, piece by piece.   unpack INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "zstd.h"

int main(int argc, char **argv) {
    static char packed[512], plain[2048];
    ZSTD_DCtx *context = ZSTD_createDCtx();
    size_t got, left = 1, total = 0;
    if (argc != 3 || !context)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    while ((got = fread(packed, 1, sizeof packed, input)) > 0) {
        ZSTD_inBuffer from = {packed, got, 0};
        while (from.pos < from.size && left) {
            ZSTD_outBuffer to = {plain, sizeof plain, 0};
            left = ZSTD_decompressStream(context, &to, &from);
            if (ZSTD_isError(left)) {
                puts(ZSTD_getErrorName(left));
                return 1;
            }
            fwrite(plain, 1, to.pos, output);
            total += to.pos;
        }
    }
    printf("%u bytes%s\n", (unsigned)total, left ? ", cut off" : "");
    ZSTD_freeDCtx(context);
    fclose(input);
    return fclose(output) || left;
}
