/* Packs a page for a small web server by Brotli.   pack INPUT OUTPUT QUALITY */
#include <brotli/encode.h>
#include <stdio.h>
#include <stdlib.h>

enum { WINDOW_BITS = 14 };

static unsigned char *slurp(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END))
        return NULL;
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *all = malloc(*size + 1);
    if (all != NULL)
        *size = fread(all, 1, *size, file);
    fclose(file);
    return all;
}

int main(int argc, char **argv) {
    size_t plain_size, room;
    if (argc != 4)
        return 2;
    unsigned char *plain = slurp(argv[1], &plain_size);
    FILE *output = fopen(argv[2], "wb");
    room = BrotliEncoderMaxCompressedSize(plain_size);
    unsigned char *packed = malloc(room);
    if (plain == NULL || output == NULL || packed == NULL)
        return 1;
    if (!BrotliEncoderCompress(atoi(argv[3]), WINDOW_BITS, BROTLI_MODE_TEXT, plain_size, plain,
                               &room, packed))
        return 1;
    fwrite(packed, 1, room, output);
    printf("%u to %u bytes\n", (unsigned)plain_size, (unsigned)room);
    free(plain);
    free(packed);
    return fclose(output) != 0;
}
