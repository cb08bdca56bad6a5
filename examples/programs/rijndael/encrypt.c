/* Encrypts a file by Rijndael with chained blocks (CBC); zeroes fill the last one.
 * encrypt KEY INPUT OUTPUT: the key in hexadecimal digits. */
#include <stdio.h>
#include <string.h>

#include "rijndael.h"

int main(int argc, char **argv) {
    static struct rijndael cipher;
    uint8_t key[RIJNDAEL_BLOCK], block[RIJNDAEL_BLOCK], chain[RIJNDAEL_BLOCK] = {0};
    if (argc != 4 || strlen(argv[1]) != 2 * sizeof key)
        return 2;
    for (unsigned i = 0, byte; i < sizeof key; i++) {
        if (sscanf(argv[1] + 2 * i, "%2x", &byte) != 1)
            return 2;
        key[i] = (uint8_t)byte;
    }
    FILE *input = fopen(argv[2], "rb");
    FILE *output = fopen(argv[3], "wb");
    if (input == NULL || output == NULL)
        return 1;
    rijndael_set_key(&cipher, key);
    for (size_t got; (got = fread(block, 1, sizeof block, input)) > 0;) {
        memset(block + got, 0, sizeof block - got);
        for (int i = 0; i < RIJNDAEL_BLOCK; i++)
            chain[i] ^= block[i];
        rijndael_encrypt(&cipher, chain);
        fwrite(chain, 1, sizeof chain, output);
    }
    fclose(input);
    return fclose(output) != 0;
}
