/* Unpacks a frame of LZ4, piece by piece, and looks at its checksum.   unpack INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "lz4frame.h"

int main(int argc, char **argv) {
    static char packed[1024], plain[4096];
    LZ4F_dctx *context;
    size_t had, hint = 1, total = 0;

    if (argc != 3 || LZ4F_createDecompressionContext(&context, LZ4F_VERSION))
        return EXIT_FAILURE;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return EXIT_FAILURE;

    while (hint && (had = fread(packed, 1, sizeof packed, input)) > 0) {
        const char *from = packed, *end = packed + had;
        while (from < end && hint) {
            size_t taken = (size_t)(end - from), made = sizeof plain;
            hint = LZ4F_decompress(context, plain, &made, from, &taken, NULL);
            if (LZ4F_isError(hint)) {
                printf("%s\n", LZ4F_getErrorName(hint));
                return EXIT_FAILURE;
            }
            fwrite(plain, 1, made, output);
            total += made;
            from += taken;
        }
    }
    printf("%u bytes%s\n", (unsigned)total, hint ? ", cut off" : "");
    LZ4F_freeDecompressionContext(context);
    fclose(input);
    return fclose(output) || hint ? EXIT_FAILURE : EXIT_SUCCESS;
}
