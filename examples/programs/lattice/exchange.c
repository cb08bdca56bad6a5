/* Two ends agree on keys by ML-KEM-512, again and again; each third ciphertext is damaged on its
 * way, and both ends must see it.   exchange TIMES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api.h"
#include "fips202.h"
#include "randombytes.h"

#define KEM(name) PQCLEAN_MLKEM512_CLEAN_CRYPTO_##name

struct party {
    uint8_t public_key[KEM(PUBLICKEYBYTES)];
    uint8_t secret_key[KEM(SECRETKEYBYTES)];
    unsigned agreed, failed;
};

/* No noise source here: a seeded generator by SHAKE takes its place. */
int randombytes(uint8_t *output, size_t n) {
    static uint8_t pool[168];
    static size_t left;
    static uint32_t epoch;
    while (n--) {
        if (left == 0) {
            uint8_t seed[8] = "seed";
            memcpy(seed + 4, &epoch, sizeof epoch);
            epoch++;
            shake128(pool, sizeof pool, seed, sizeof seed);
            left = sizeof pool;
        }
        *output++ = pool[--left];
    }
    return 0;
}

int main(int argc, char **argv) {
    static struct party alice;
    static uint8_t ciphertext[KEM(CIPHERTEXTBYTES)];
    uint8_t at_alice[KEM(BYTES)], at_bob[KEM(BYTES)];
    FILE *log;

    if (argc != 3 || !(log = fopen(argv[2], "w")))
        return 2;
    for (int round = 0, rounds = atoi(argv[1]); round < rounds; round++) {
        if (round % 4 == 0)
            PQCLEAN_MLKEM512_CLEAN_crypto_kem_keypair(alice.public_key, alice.secret_key);
        PQCLEAN_MLKEM512_CLEAN_crypto_kem_enc(ciphertext, at_bob, alice.public_key);
        if (round % 3 == 2)
            ciphertext[(size_t)round * 37 % sizeof ciphertext] ^= 1;
        PQCLEAN_MLKEM512_CLEAN_crypto_kem_dec(at_alice, ciphertext, alice.secret_key);
        int same = memcmp(at_alice, at_bob, sizeof at_bob) == 0;
        same ? alice.agreed++ : alice.failed++;
        fprintf(log, "%3d %s", round, same ? "agreed  " : "differed");
        for (size_t i = 0; i < sizeof at_alice; i++)
            fprintf(log, "%02X", at_alice[i]);
        putc('\n', log);
    }
    printf("%u agreed, %u differed\n", alice.agreed, alice.failed);
    return fclose(log) != 0;
}
