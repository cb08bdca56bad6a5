/* Sums of files by BLAKE3, plain or with a key of 32 bytes, and a key derived for each file.
 * sums KEY-OR-DASH FILE... */
#include <stdio.h>
#include <string.h>

#include "blake3.h"

static int sum(const char *name, const uint8_t *key, uint8_t digest[BLAKE3_OUT_LEN]) {
    static uint8_t buffer[2048];
    blake3_hasher hasher;
    size_t got;
    FILE *file = fopen(name, "rb");

    if (!file)
        return -1;
    if (key)
        blake3_hasher_init_keyed(&hasher, key);
    else
        blake3_hasher_init(&hasher);
    while ((got = fread(buffer, 1, sizeof buffer, file)) != 0)
        blake3_hasher_update(&hasher, buffer, got);
    blake3_hasher_finalize(&hasher, digest, BLAKE3_OUT_LEN);
    fclose(file);
    return 0;
}

static void derive(const char *name, const uint8_t *digest, uint8_t *key, size_t length) {
    blake3_hasher hasher;
    blake3_hasher_init_derive_key(&hasher, "benchmark 2026 file keys v1");
    blake3_hasher_update(&hasher, name, strlen(name));
    blake3_hasher_update(&hasher, digest, BLAKE3_OUT_LEN);
    blake3_hasher_finalize(&hasher, key, length);
}

static void hex(const char *label, const uint8_t *bytes, size_t length) {
    fputs(label, stdout);
    while (length--)
        printf("%02x", *bytes++);
}

int main(int argc, char **argv) {
    uint8_t digest[BLAKE3_OUT_LEN], key[48];
    const uint8_t *secret = NULL;

    if (argc < 3)
        return 2;
    if (strcmp(argv[1], "-") != 0) {
        if (strlen(argv[1]) != BLAKE3_KEY_LEN)
            return 2;
        secret = (const uint8_t *)argv[1];
    }
    for (int i = 2; i < argc; i++) {
        if (sum(argv[i], secret, digest))
            return 1;
        derive(argv[i], digest, key, sizeof key);
        hex("", digest, sizeof digest);
        hex(" ", key, sizeof key);
        printf(" %s\n", argv[i]);
    }
    return 0;
}
