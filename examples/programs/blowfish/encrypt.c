/* Encrypts a file by Blowfish, block by block (ECB); zeroes fill the last one.
 * encrypt DIGITS KEY INPUT OUTPUT */
#include <stdlib.h>
#include <string.h>

#include "blowfish.h"

static uint32_t word_at(const uint8_t *bytes) {
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

static void put_word(uint8_t *bytes, uint32_t word) {
    for (int i = 3; i >= 0; i--, word >>= 8)
        bytes[i] = (uint8_t)word;
}

int main(int argc, char **argv) {
    struct blowfish *cipher = malloc(sizeof *cipher);
    uint8_t block[8];
    if (argc != 5 || cipher == NULL)
        return 2;
    FILE *digits = fopen(argv[1], "rb");
    FILE *input = fopen(argv[3], "rb");
    FILE *output = fopen(argv[4], "wb");
    if (digits == NULL || input == NULL || output == NULL || blowfish_read_boxes(cipher, digits))
        return 1;
    fclose(digits);
    blowfish_set_key(cipher, (const uint8_t *)argv[2], strlen(argv[2]));
    for (size_t got; (got = fread(block, 1, sizeof block, input)) > 0;) {
        memset(block + got, 0, sizeof block - got);
        uint32_t left = word_at(block), right = word_at(block + 4);
        blowfish_encrypt(cipher, &left, &right);
        put_word(block, left);
        put_word(block + 4, right);
        fwrite(block, 1, sizeof block, output);
    }
    free(cipher);
    fclose(input);
    return fclose(output) != 0;
}
