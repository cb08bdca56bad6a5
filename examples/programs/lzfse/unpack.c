/* Unpacks what LZFSE packed; its space doubles until all fits.   lzfse-unpack INPUT OUTPUT */
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
    size_t size = (size_t)ftell(input), room = 2 * size, length;
    unsigned tries = 1;
    rewind(input);
    uint8_t *packed = malloc(size), *plain = malloc(room);
    void *scratch = malloc(lzfse_decode_scratch_size());
    if (!plain || !packed || !scratch || fread(packed, 1, size, input) != size)
        return 1;
    while ((length = lzfse_decode_buffer(plain, room, packed, size, scratch)) == room) {
        room *= 2;
        tries++;
        uint8_t *more = realloc(plain, room);
        if (!more)
            return 1;
        plain = more;
    }
    if (!length || fwrite(plain, 1, length, output) != length)
        return 1;
    printf("%lu bytes at try %u\n", (unsigned long)length, tries);
    free(scratch);
    free(packed);
    free(plain);
    fclose(input);
    return fclose(output) != 0;
}
