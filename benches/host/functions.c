/* The functions of functions.h. */
#include "functions.h"

#if defined(__x86_64__)
#define MULTIPLY(x) __asm volatile("imul %0, %0" : "+r"(x))
#elif defined(__aarch64__)
#define MULTIPLY(x) __asm volatile("mul %0, %0, %0" : "+r"(x))
#endif
#define UNKNOWN(x) __asm volatile("" : "+r"(x))
#define UNKNOWN_FOUR __asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d))

void nothing(void) {}

word same(word x) {
    return x;
}

/* Each multiplication waits for the one before. */
word chain_8(word x) {
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++)
        MULTIPLY(x);
    return x;
}

word chain_30(word x) {
#pragma GCC unroll 30
    for (int i = 0; i < 30; i++)
        MULTIPLY(x);
    return x;
}

double inverse(double x) {
    return 1.0 / x;
}

/* None waits for another. */
void products(void) {
    word a = 3, b = 5, c = 7, d = 9;
#pragma GCC unroll 3
    for (int i = 0; i < 3; i++) {
        a = b = c = d = 3;
        UNKNOWN_FOUR;
        MULTIPLY(a);
        MULTIPLY(b);
        MULTIPLY(c);
        MULTIPLY(d);
    }
}

void sums(void) {
    word a = 1, b = 2, c = 3, d = 4;
#pragma GCC unroll 12
    for (int i = 0; i < 12; i++) {
        UNKNOWN_FOUR;
        a += 3, b += 5, c += 7, d += 9;
    }
    UNKNOWN_FOUR;
}

/* Some of both (the finaliser of MurmurHash3, by Austin Appleby, in the public domain). */
word mixed(word x) {
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdu;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53u;
    return x ^ x >> 33;
}

/* A loop that always goes round ten times, with work beside its chain. */
word stirred(word x) {
    word other = 1;
    for (int i = 0; i < 10; i++) {
        x = x * 5 + 1;
        UNKNOWN(x);
        other ^= other << 3;
        UNKNOWN(other);
    }
    return x;
}

enum { WORDS = 64 };
static word table[WORDS + 1];
static word *ring[4] = {(word *)&ring[1], (word *)&ring[2], (word *)&ring[3], (word *)&ring[0]};

/* Loads that wait for each other; goes round, to where it began. */
void *followed(void *place) {
    for (int i = 0; i < 4; i++) {
        place = *(void **)place;
        UNKNOWN(place);
    }
    return place;
}

void *ring_start(void) {
    return ring;
}

/* Loads that do not; the table is all zeros, so what comes out is what went in. */
word added(word first) {
    word sum = 0;
    for (int i = 0; i < WORDS; i++)
        sum += *(volatile word *)&table[first + (word)i];
    return sum;
}

void filled(void) {
    static word page[WORDS];
    for (int i = 0; i < WORDS; i++)
        *(volatile word *)&page[i] = (word)i;
}
