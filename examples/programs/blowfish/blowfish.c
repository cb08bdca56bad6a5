#include "blowfish.h"

static uint32_t mixed(const struct blowfish *cipher, uint32_t x) {
    uint32_t sum = cipher->s[0][x >> 24] + cipher->s[1][x >> 16 & 255];
    return (sum ^ cipher->s[2][x >> 8 & 255]) + cipher->s[3][x & 255];
}

void blowfish_encrypt(const struct blowfish *cipher, uint32_t *left, uint32_t *right) {
    uint32_t l = *left, r = *right;
    for (int round = 0; round < 16; round += 2) {
        l ^= cipher->p[round];
        r ^= mixed(cipher, l);
        r ^= cipher->p[round + 1];
        l ^= mixed(cipher, r);
    }
    *left = r ^ cipher->p[17];
    *right = l ^ cipher->p[16];
}

void blowfish_decrypt(const struct blowfish *cipher, uint32_t *left, uint32_t *right) {
    uint32_t l = *left, r = *right;
    for (int round = 17; round > 1; round -= 2) {
        l ^= cipher->p[round];
        r ^= mixed(cipher, l);
        r ^= cipher->p[round - 1];
        l ^= mixed(cipher, r);
    }
    *left = r ^ cipher->p[0];
    *right = l ^ cipher->p[1];
}

int blowfish_read_boxes(struct blowfish *cipher, FILE *digits) {
    uint32_t *word = cipher->p;
    uint8_t bytes[4];
    for (int i = 0; i < 18 + 4 * 256; i++) {
        if (i == 18)
            word = cipher->s[0];
        if (fread(bytes, 1, 4, digits) != 4)
            return -1;
        *word++ = (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | bytes[2] << 8 | bytes[3];
    }
    return 0;
}

void blowfish_set_key(struct blowfish *cipher, const uint8_t *key, size_t bytes) {
    uint32_t left = 0, right = 0;
    size_t at = 0;
    for (int i = 0; i < 18; i++) {
        uint32_t word = 0;
        for (int j = 0; j < 4; j++, at = (at + 1) % bytes)
            word = word << 8 | key[at];
        cipher->p[i] ^= word;
    }
    for (int i = 0; i < 18; i += 2) {
        blowfish_encrypt(cipher, &left, &right);
        cipher->p[i] = left;
        cipher->p[i + 1] = right;
    }
    for (int box = 0; box < 4; box++)
        for (int i = 0; i < 256; i += 2) {
            blowfish_encrypt(cipher, &left, &right);
            cipher->s[box][i] = left;
            cipher->s[box][i + 1] = right;
        }
}
