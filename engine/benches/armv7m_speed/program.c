/*
 * Work for a Cortex-M3, a number of rounds of it: sums, sorting, recursion, moves of memory,
 * products and quotients.
 */
#include "start.h"

static volatile uint32_t result;
static uint8_t bytes[256];
static uint32_t words[64];

static uint32_t checksum(const uint8_t *first, uint32_t count) {
    uint32_t sum = 0xFFFFFFFF;
    while (count--) {
        sum ^= *first++;
        for (int bit = 0; bit < 8; bit++)
            sum = sum & 1 ? sum >> 1 ^ 0xEDB88320 : sum >> 1;
    }
    return sum;
}

static void sort(uint8_t *first, uint32_t count) {
    for (uint32_t i = 1; i < count; i++) {
        uint8_t moved = first[i];
        uint32_t place = i;
        for (; place && first[place - 1] > moved; place--)
            first[place] = first[place - 1];
        first[place] = moved;
    }
}

static uint32_t __attribute__((noinline)) fibonacci(uint32_t n) {
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static uint32_t arithmetic(uint32_t seed) {
    uint64_t sum = seed;
    for (uint32_t n = 1; n < 64; n++) {
        words[n] = words[n - 1] * 1103515245u + 12345u;
        sum += (uint64_t)words[n] * (seed + n);
        sum ^= words[n] / n;
    }
    return (uint32_t)(sum ^ sum >> 32);
}

void start(void) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t n = 0; n < sizeof bytes; n++)
            bytes[n] = (uint8_t)(n * 37 + round);
        sort(bytes, 64);
        words[0] = round;
        result = checksum(bytes, sizeof bytes) + fibonacci(12) + arithmetic(round);
    }
    end();
}
