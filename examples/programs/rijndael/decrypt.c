/* Decrypts a file by Rijndael with chained blocks (CBC).
 * decrypt KEY INPUT OUTPUT: the key in hexadecimal digits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rijndael.h"

static uint8_t *read_all(const char *name, long *bytes) {
    FILE *file = fopen(name, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0 || (*bytes = ftell(file)) < 0)
        return NULL;
    uint8_t *data = malloc((size_t)*bytes);
    rewind(file);
    if (data != NULL && fread(data, 1, (size_t)*bytes, file) != (size_t)*bytes) {
        free(data);
        data = NULL;
    }
    fclose(file);
    return data;
}

int main(int argc, char **argv) {
    static struct rijndael cipher;
    uint8_t key[RIJNDAEL_BLOCK], chain[RIJNDAEL_BLOCK] = {0}, kept[RIJNDAEL_BLOCK];
    long bytes;
    if (argc != 4 || strlen(argv[1]) != 2 * sizeof key)
        return 2;
    for (unsigned i = 0, byte; i < sizeof key; i++) {
        if (sscanf(argv[1] + 2 * i, "%2x", &byte) != 1)
            return 2;
        key[i] = (uint8_t)byte;
    }
    uint8_t *data = read_all(argv[2], &bytes);
    FILE *output = fopen(argv[3], "wb");
    if (data == NULL || output == NULL)
        return 1;
    rijndael_set_key(&cipher, key);
    for (long at = 0; at + RIJNDAEL_BLOCK <= bytes; at += RIJNDAEL_BLOCK) {
        memcpy(kept, data + at, sizeof kept);
        rijndael_decrypt(&cipher, data + at);
        for (int i = 0; i < RIJNDAEL_BLOCK; i++)
            data[at + i] ^= chain[i];
        memcpy(chain, kept, sizeof chain);
    }
    fwrite(data, 1, (size_t)bytes, output);
    free(data);
    return fclose(output) != 0;
}
