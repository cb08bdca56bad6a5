/* Keys for the drawers of a safe, each by scrypt from the same words and a salt of its own. A try
 * opens the drawer whose key it gives.   unlock WORDS COST OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sodium/crypto_pwhash_scryptsalsa208sha256.h"
#include "sodium/utils.h"

#define DRAWERS 4
#define KEY 32

/* The library calls it when it is used wrongly. */
void sodium_misuse(void) {
    abort();
}

/* For keys that are drawn; here none is. */
void randombytes_buf(void *to, size_t size) {
    memset(to, 0, size);
}

static int derive(const char *words, unsigned drawer, unsigned long cost, uint8_t *key) {
    char salt[16];
    int size = snprintf(salt, sizeof salt, "drawer %u", drawer);
    return crypto_pwhash_scryptsalsa208sha256_ll((const uint8_t *)words, strlen(words),
                                                 (const uint8_t *)salt, (size_t)size, cost, 4, 1,
                                                 key, KEY);
}

int main(int argc, char **argv) {
    uint8_t keys[DRAWERS][KEY], tried[KEY];
    char words[80], text[2 * KEY + 1];
    int opened = -1;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[3], "w");
    unsigned long cost = strtoul(argv[2], NULL, 10);
    if (!input || !output || !fgets(words, sizeof words, input))
        return 1;
    words[strcspn(words, "\n")] = 0;
    for (unsigned i = 0; i < DRAWERS; i++) {
        if (derive(words, i, cost, keys[i]))
            return 3;
        sodium_bin2hex(text, sizeof text, keys[i], KEY);
        fprintf(output, "%u %s\n", i, text);
    }
    if (derive(words, 2, cost, tried))
        return 3;
    for (int i = 0; i < DRAWERS; i++)
        if (sodium_memcmp(keys[i], tried, KEY) == 0)
            opened = i;
    printf("drawer %d opens\n", opened);
    fclose(input);
    return fclose(output) != 0;
}
