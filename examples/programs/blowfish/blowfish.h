/* Blowfish, a cipher of 64-bit blocks (Schneier, Fast Software Encryption, 1993). */
#ifndef BLOWFISH_H
#define BLOWFISH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct blowfish {
    uint32_t p[18];
    uint32_t s[4][256];
};

/* Reads the digits of pi that the key is mixed with, most significant byte first; 0 if it can. */
int blowfish_read_boxes(struct blowfish *cipher, FILE *digits);
void blowfish_set_key(struct blowfish *cipher, const uint8_t *key, size_t bytes);
void blowfish_encrypt(const struct blowfish *cipher, uint32_t *left, uint32_t *right);
void blowfish_decrypt(const struct blowfish *cipher, uint32_t *left, uint32_t *right);

#endif
