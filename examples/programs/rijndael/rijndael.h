/* Rijndael with blocks and keys of 128 bits (FIPS 197). Its tables are computed. */
#ifndef RIJNDAEL_H
#define RIJNDAEL_H

#include <stdint.h>

enum { RIJNDAEL_BLOCK = 16, RIJNDAEL_ROUNDS = 10 };

struct rijndael {
    uint8_t keys[RIJNDAEL_ROUNDS + 1][RIJNDAEL_BLOCK];
};

void rijndael_set_key(struct rijndael *cipher, const uint8_t key[RIJNDAEL_BLOCK]);
void rijndael_encrypt(const struct rijndael *cipher, uint8_t block[RIJNDAEL_BLOCK]);
void rijndael_decrypt(const struct rijndael *cipher, uint8_t block[RIJNDAEL_BLOCK]);

#endif
