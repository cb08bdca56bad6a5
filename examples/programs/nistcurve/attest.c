/* A device proves what it runs: it seals digests of its parts on a curve of NIST. A checker with
 * the public key verifies them, and refuses those of changed parts.   attest PARTS SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uECC.h"

#define SIZE 20 /* bytes of a number of the curve */

typedef struct {
    uint32_t state[8];
    uint8_t block[64];
    uint64_t bytes;
} sha256_t;

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static uint32_t seed;

static inline uint32_t turned(uint32_t value, int by) {
    return value >> by | value << (32 - by);
}

static void start(sha256_t *sha) {
    static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sha->state, first, sizeof first);
    sha->bytes = 0;
}

static void crunch(sha256_t *sha) {
    uint32_t w[64], s[8];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)sha->block[4 * i] << 24 | (uint32_t)sha->block[4 * i + 1] << 16 |
               (uint32_t)sha->block[4 * i + 2] << 8 | sha->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + w[i - 7] + (turned(a, 7) ^ turned(a, 18) ^ a >> 3) +
               (turned(b, 17) ^ turned(b, 19) ^ b >> 10);
    }
    memcpy(s, sha->state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one = s[7] + (turned(s[4], 6) ^ turned(s[4], 11) ^ turned(s[4], 25)) +
                       ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + w[i];
        uint32_t two = (turned(s[0], 2) ^ turned(s[0], 13) ^ turned(s[0], 22)) +
                       ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++)
        sha->state[i] += s[i];
}

static void add(sha256_t *sha, const uint8_t *data, size_t size) {
    while (size--) {
        sha->block[sha->bytes++ % 64] = *data++;
        if (sha->bytes % 64 == 0)
            crunch(sha);
    }
}

static void finish(sha256_t *sha, uint8_t *digest) {
    uint64_t bits = sha->bytes * 8;
    uint8_t tail = 0x80, length[8];
    add(sha, &tail, 1);
    tail = 0;
    while (sha->bytes % 64 != 56)
        add(sha, &tail, 1);
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - 8 * i));
    add(sha, length, 8);
    for (int i = 0; i < 32; i++)
        digest[i] = (uint8_t)(sha->state[i / 4] >> (24 - i % 4 * 8));
}

static int draw(uint8_t *to, unsigned size) {
    while (size--) {
        seed = seed * 1103515245u + 12345u;
        *to++ = (uint8_t)(seed >> 16);
    }
    return 1;
}

static void put_hex(FILE *output, const char *name, const uint8_t *bytes, size_t size) {
    fprintf(output, "%s ", name);
    while (size--)
        fprintf(output, "%02x", *bytes++);
    fputc('\n', output);
}

int main(int argc, char **argv) {
    uint8_t private[SIZE + 1], public[2 * SIZE], digest[32], signature[2 * SIZE + 2], part[512];
    uECC_Curve curve = uECC_secp160r1();
    unsigned parts = 0, good = 0, refused = 0;
    size_t size;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "w");
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    uECC_set_rng(draw);
    if (!input || !output || !uECC_make_key(public, private, curve))
        return 1;
    put_hex(output, "key", public, sizeof public);
    while ((size = fread(part, 1, sizeof part, input)) > 0) {
        sha256_t sha;
        start(&sha);
        add(&sha, part, size);
        finish(&sha, digest);
        put_hex(output, "digest", digest, sizeof digest);
        if (parts++ % 4)
            continue;
        if (!uECC_sign(private, digest, SIZE, signature, curve))
            return 1;
        put_hex(output, "signature", signature, 2 * SIZE);
        if (parts % 8 == 5)
            digest[7] ^= 0x10;
        if (uECC_verify(public, digest, SIZE, signature, curve))
            good++;
        else
            refused++;
    }
    printf("%u parts, %u good, %u refused\n", parts, good, refused);
    fclose(input);
    return fclose(output) != 0;
}
