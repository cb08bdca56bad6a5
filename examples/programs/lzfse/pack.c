/* Packs a file by LZFSE.   lzfse-pack INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lzfse.h"

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output || fseek(input, 0, SEEK_END))
        return 1;
    long size = ftell(input);
    rewind(input);
    uint8_t *plain = malloc((size_t)size), *packed = malloc((size_t)size + 64);
    void *scratch = malloc(lzfse_encode_scratch_size());
    if (!plain || !packed || !scratch || fread(plain, 1, (size_t)size, input) != (size_t)size)
        return 1;
    size_t length = lzfse_encode_buffer(packed, (size_t)size + 64, plain, (size_t)size, scratch);
    if (!length || fwrite(packed, 1, length, output) != length)
        return 1;
    printf("%ld to %lu bytes, %ld.%ld %%\n", size, (unsigned long)length, (long)length * 100 / size,
           (long)length * 1000 / size % 10);
    free(scratch);
    free(packed);
    free(plain);
    fclose(input);
    return fclose(output) != 0;
}
