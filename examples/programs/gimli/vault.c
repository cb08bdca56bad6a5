/* Keeps the pages of a file sealed, each under a key of its own, and reads them again. One page in
 * seven is damaged in between, and has to be refused.   vault INPUT SEED OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hydrogen.h"
#include "zephyr/random/rand32.h"

#define PAGE 512
#define SEALED (PAGE + hydro_secretbox_HEADERBYTES)

static uint32_t seed;

int sys_csrand_get(void *to, size_t size) {
    for (uint8_t *at = to; size--; at++) {
        seed = seed * 1664525u + 1013904223u;
        *at = (uint8_t)(seed >> 24);
    }
    return 0;
}

static void show(const char *what, const uint8_t *bytes, size_t size) {
    char text[65];
    hydro_bin2hex(text, sizeof text, bytes, size);
    printf("%s %s\n", what, text);
}

int main(int argc, char **argv) {
    static uint8_t plain[PAGE], sealed[SEALED], again[PAGE];
    uint8_t master[hydro_kdf_KEYBYTES], key[hydro_secretbox_KEYBYTES], digest[hydro_hash_BYTES],
        probe[hydro_secretbox_PROBEBYTES];
    unsigned pages = 0, refused = 0, wrong = 0;
    hydro_hash_state hash;
    size_t size;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "wb");
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    if (!input || !output || hydro_init())
        return 1;
    for (size_t i = 0; i < sizeof master; i++)
        master[i] = (uint8_t)(7 * i + 1);
    hydro_hash_init(&hash, "contents", NULL);
    while ((size = fread(plain, 1, PAGE, input)) > 0) {
        size_t length = size + hydro_secretbox_HEADERBYTES;
        hydro_hash_update(&hash, plain, size);
        hydro_kdf_derive_from_key(key, sizeof key, pages, "page key", master);
        hydro_secretbox_encrypt(sealed, plain, size, pages, "the page", key);
        hydro_secretbox_probe_create(probe, sealed, length, "the page", key);
        fwrite(sealed, 1, length, output);
        if (pages % 7 == 6)
            sealed[hydro_secretbox_HEADERBYTES + size / 2] ^= 4;
        if (hydro_secretbox_probe_verify(probe, sealed, length, "the page", key) != 0 ||
            hydro_secretbox_decrypt(again, sealed, length, pages, "the page", key) != 0)
            refused++;
        else
            wrong += memcmp(again, plain, size) != 0;
        pages++;
    }
    hydro_hash_final(&hash, digest, sizeof digest);
    show("hash", digest, sizeof digest);
    show("last probe", probe, sizeof probe);
    printf("%u pages, %u refused, %u wrong\n", pages, refused, wrong);
    fclose(input);
    return fclose(output) != 0 || wrong;
}
