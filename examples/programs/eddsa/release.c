/* Makes and checks signatures by Ed25519 for the lines of a release's notes. Before the check, it
 * damages a line in three.   release INPUT OUTPUT LINES */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sodium.h"

/* The pair of keys is from a seed: no other randomness is asked for. */
void randombytes_buf(void *const buffer, const size_t size) {
    memset(buffer, 0, size);
}

void sodium_misuse(void) {
    abort();
}

static void put_hex(FILE *output, const unsigned char *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        fprintf(output, "%02x", bytes[i]);
    fputc('\n', output);
}

int main(int argc, char **argv) {
    unsigned char public[crypto_sign_PUBLICKEYBYTES], secret[crypto_sign_SECRETKEYBYTES];
    unsigned char seed[crypto_sign_SEEDBYTES], signature[crypto_sign_BYTES];
    char line[128];
    int number = 0, good = 0, bad = 0;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    for (unsigned i = 0; i < sizeof seed; i++)
        seed[i] = (unsigned char)(0xA0 + i * 5);
    crypto_sign_seed_keypair(public, secret, seed);
    put_hex(output, public, sizeof public);
    while (number < atoi(argv[3]) && fgets(line, sizeof line, input)) {
        size_t length = strcspn(line, "\n");
        unsigned char *text = (unsigned char *)line;
        crypto_sign_detached(signature, NULL, text, length, secret);
        put_hex(output, signature, sizeof signature);
        if (++number % 3 == 0)
            line[length / 2] ^= 1;
        if (crypto_sign_verify_detached(signature, text, length, public))
            bad++;
        else
            good++;
    }
    printf("%d signed: %d good, %d bad\n", number, good, bad);
    fclose(input);
    return fclose(output) != 0;
}
