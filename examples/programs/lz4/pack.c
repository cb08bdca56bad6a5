/* Packs a file into a frame of LZ4 with a checksum, piece by piece.   pack INPUT OUTPUT LEVEL */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lz4frame.h"

#define PIECE (4 * 1024)

static void put(const void *data, size_t size, FILE *file) {
    if (LZ4F_isError(size)) {
        printf("%s\n", LZ4F_getErrorName(size));
        exit(EXIT_FAILURE);
    }
    if (fwrite(data, 1, size, file) != size)
        exit(EXIT_FAILURE);
}

int main(int argc, char **argv) {
    static char piece[PIECE];
    LZ4F_preferences_t wanted;
    LZ4F_cctx *context;
    size_t count;

    if (argc != 4)
        return EXIT_FAILURE;
    memset(&wanted, 0, sizeof wanted);
    wanted.frameInfo.blockSizeID = LZ4F_max64KB;
    wanted.frameInfo.blockMode = LZ4F_blockIndependent;
    wanted.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
    wanted.compressionLevel = atoi(argv[3]);
    size_t room = LZ4F_compressBound(PIECE, &wanted);
    char *packed = malloc(room);
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!packed || !input || !output || LZ4F_createCompressionContext(&context, LZ4F_VERSION))
        return EXIT_FAILURE;

    put(packed, LZ4F_compressBegin(context, packed, room, &wanted), output);
    while ((count = fread(piece, 1, sizeof piece, input)) > 0)
        put(packed, LZ4F_compressUpdate(context, packed, room, piece, count, NULL), output);
    put(packed, LZ4F_compressEnd(context, packed, room, NULL), output);

    LZ4F_freeCompressionContext(context);
    free(packed);
    fclose(input);
    return fclose(output) ? EXIT_FAILURE : EXIT_SUCCESS;
}
