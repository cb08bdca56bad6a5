/* Rijndael encrypts and decrypts, by a program of the benchmark. It ends in `finished`. ROUNDS is
 * given at compile time. */
#include "rijndael.h"

enum { BLOCKS = 16 };

static uint8_t text[BLOCKS][RIJNDAEL_BLOCK];
static struct rijndael cipher;
volatile uint32_t result;

/* The compiler calls it for blocks. */
void *memcpy(void *restrict to, const void *restrict from, unsigned length) {
    uint8_t *here = to;
    const uint8_t *there = from;
    while (length--)
        *here++ = *there++;
    return to;
}

int main(void) {
    uint8_t key[RIJNDAEL_BLOCK];
    uint32_t sum = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < RIJNDAEL_BLOCK; i++)
            key[i] = (uint8_t)(17 * i + round);
        rijndael_set_key(&cipher, key);
        for (uint32_t i = 0; i < BLOCKS; i++) {
            text[i][i] ^= (uint8_t)round;
            rijndael_encrypt(&cipher, text[i]);
            sum = sum * 31 + text[i][0];
            if (i % 2)
                rijndael_decrypt(&cipher, text[i]);
        }
    }
    result = sum;
    return 0;
}
