#include "rijndael.h"

#include <string.h>

static uint8_t box[256], inverse[256];

static uint8_t doubled(uint8_t x) {
    return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1B : 0));
}

static uint8_t product(uint8_t a, uint8_t b) {
    uint8_t sum = 0;
    for (; b; b >>= 1, a = doubled(a))
        if (b & 1)
            sum ^= a;
    return sum;
}

static uint8_t rotated(uint8_t x, int places) {
    return (uint8_t)(x << places | x >> (8 - places));
}

/* By powers of 3 and of its inverse, which run through all elements but 0. */
static void make_boxes(void) {
    uint8_t power = 1, reciprocal = 1;
    do {
        power = (uint8_t)(power ^ doubled(power));
        reciprocal = product(reciprocal, 0xF6);
        uint8_t value = (uint8_t)(reciprocal ^ rotated(reciprocal, 1) ^ rotated(reciprocal, 2) ^
                                  rotated(reciprocal, 3) ^ rotated(reciprocal, 4) ^ 0x63);
        box[power] = value;
        inverse[value] = power;
    } while (power != 1);
    box[0] = 0x63;
    inverse[0x63] = 0;
}

void rijndael_set_key(struct rijndael *cipher, const uint8_t key[RIJNDAEL_BLOCK]) {
    uint8_t *next = cipher->keys[0], constant = 1;
    make_boxes();
    memcpy(next, key, RIJNDAEL_BLOCK);
    for (int i = RIJNDAEL_BLOCK; i < (RIJNDAEL_ROUNDS + 1) * RIJNDAEL_BLOCK; i += 4) {
        uint8_t last[4];
        memcpy(last, next + i - 4, 4);
        if (i % RIJNDAEL_BLOCK == 0) {
            uint8_t first = last[0];
            last[0] = box[last[1]] ^ constant;
            last[1] = box[last[2]];
            last[2] = box[last[3]];
            last[3] = box[first];
            constant = doubled(constant);
        }
        for (int j = 0; j < 4; j++)
            next[i + j] = next[i + j - RIJNDAEL_BLOCK] ^ last[j];
    }
}

static void add_key(uint8_t *block, const uint8_t *key) {
    for (int i = 0; i < RIJNDAEL_BLOCK; i++)
        block[i] ^= key[i];
}

/* Row r of the square goes r places to the left, or back to the right. */
static void substitute_and_shift(uint8_t *block, const uint8_t *by, int direction) {
    uint8_t old[RIJNDAEL_BLOCK];
    memcpy(old, block, sizeof old);
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            block[4 * column + row] = by[old[4 * ((column + direction * row) & 3) + row]];
}

static void mix(uint8_t *column) {
    uint8_t a = column[0], b = column[1], c = column[2], d = column[3];
    uint8_t all = a ^ b ^ c ^ d;
    column[0] ^= all ^ doubled(a ^ b);
    column[1] ^= all ^ doubled(b ^ c);
    column[2] ^= all ^ doubled(c ^ d);
    column[3] ^= all ^ doubled(d ^ a);
}

static void unmix(uint8_t *column) {
    uint8_t u = doubled(doubled(column[0] ^ column[2]));
    uint8_t v = doubled(doubled(column[1] ^ column[3]));
    column[0] ^= u;
    column[1] ^= v;
    column[2] ^= u;
    column[3] ^= v;
    mix(column);
}

void rijndael_encrypt(const struct rijndael *cipher, uint8_t block[RIJNDAEL_BLOCK]) {
    add_key(block, cipher->keys[0]);
    for (int round = 1; round <= RIJNDAEL_ROUNDS; round++) {
        substitute_and_shift(block, box, 1);
        if (round < RIJNDAEL_ROUNDS)
            for (int i = 0; i < RIJNDAEL_BLOCK; i += 4)
                mix(block + i);
        add_key(block, cipher->keys[round]);
    }
}

void rijndael_decrypt(const struct rijndael *cipher, uint8_t block[RIJNDAEL_BLOCK]) {
    for (int round = RIJNDAEL_ROUNDS; round > 0; round--) {
        add_key(block, cipher->keys[round]);
        if (round < RIJNDAEL_ROUNDS)
            for (int i = 0; i < RIJNDAEL_BLOCK; i += 4)
                unmix(block + i);
        substitute_and_shift(block, inverse, -1);
    }
    add_key(block, cipher->keys[0]);
}
