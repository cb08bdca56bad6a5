/* Counts bits in six ways, each over the same numbers.   bitcount COUNT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int by_shifts(uint32_t x) {
    int bits = 0;
    for (; x; x >>= 1)
        bits += x & 1;
    return bits;
}

static int by_clearing(uint32_t x) {
    int bits = 0;
    while (x) {
        x &= x - 1;
        bits++;
    }
    return bits;
}

static int by_sums(uint32_t x) {
    x -= x >> 1 & 0x55555555;
    x = (x & 0x33333333) + (x >> 2 & 0x33333333);
    x = (x + (x >> 4)) & 0x0F0F0F0F;
    return (int)(x * 0x01010101 >> 24);
}

static const char of_nibble[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};

static int by_nibbles(uint32_t x) {
    int bits = 0;
    for (int i = 0; i < 8; i++, x >>= 4)
        bits += of_nibble[x & 15];
    return bits;
}

static int by_recursion(uint32_t x) {
    return x ? of_nibble[x & 15] + by_recursion(x >> 4) : 0;
}

static unsigned char of_byte[256];

static int by_bytes(uint32_t x) {
    return of_byte[x & 255] + of_byte[x >> 8 & 255] + of_byte[x >> 16 & 255] + of_byte[x >> 24];
}

static const struct {
    const char *name;
    int (*count)(uint32_t);
} ways[] = {
    {"shifts", by_shifts},   {"clearing", by_clearing},   {"sums", by_sums},
    {"nibbles", by_nibbles}, {"recursion", by_recursion}, {"bytes", by_bytes},
};

int main(int argc, char **argv) {
    long numbers = argc > 1 ? strtol(argv[1], NULL, 10) : 1000;
    for (int i = 0; i < 256; i++)
        of_byte[i] = (unsigned char)by_shifts((uint32_t)i);
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        uint32_t number = 1;
        long bits = 0;
        for (long i = 0; i < numbers; i++) {
            bits += ways[way].count(number);
            number = number * 1664525u + 1013904223u;
        }
        printf("%-10s %ld\n", ways[way].name, bits);
    }
    return 0;
}
