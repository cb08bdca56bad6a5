/* Packs a file into a frame of Zstandard, piece by piece, with a checksum.
 * pack INPUT OUTPUT LEVEL */
#define ZSTD_STATIC_LINKING_ONLY
#include <stdio.h>
#include <stdlib.h>

#include "zstd.h"

static size_t checked(size_t result) {
    if (ZSTD_isError(result)) {
        puts(ZSTD_getErrorName(result));
        exit(EXIT_FAILURE);
    }
    return result;
}

int main(int argc, char **argv) {
    static char plain[2048], packed[1024];
    ZSTD_CCtx *context = ZSTD_createCCtx();
    size_t count;
    if (argc != 4 || !context)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, atoi(argv[3])));
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_windowLog, 14));
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_hashLog, 12));
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_chainLog, 12));
    checked(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1));
    do {
        count = fread(plain, 1, sizeof plain, input);
        ZSTD_EndDirective how = count < sizeof plain ? ZSTD_e_end : ZSTD_e_continue;
        ZSTD_inBuffer from = {plain, count, 0};
        size_t left;
        do {
            ZSTD_outBuffer to = {packed, sizeof packed, 0};
            left = checked(ZSTD_compressStream2(context, &to, &from, how));
            fwrite(packed, 1, to.pos, output);
        } while (how == ZSTD_e_end ? left != 0 : from.pos < from.size);
    } while (count == sizeof plain);
    printf("%ld bytes of %ld\n", ftell(output), ftell(input));
    ZSTD_freeCCtx(context);
    fclose(input);
    return fclose(output) != 0;
}
