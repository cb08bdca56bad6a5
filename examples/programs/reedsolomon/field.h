/* The field of 256 elements of the code, and the code's sizes. */
#ifndef FIELD_H
#define FIELD_H

#include <stdint.h>

#define CODE_BYTES 255
#define PARITY 16
#define DATA_BYTES (CODE_BYTES - PARITY)
#define POLYNOMIAL 0x11D

extern uint8_t power[512], logarithm[256];

void field_make(void);

static inline uint8_t times(uint8_t a, uint8_t b) {
    return a && b ? power[logarithm[a] + logarithm[b]] : 0;
}

static inline uint8_t over(uint8_t a, uint8_t b) {
    return a ? power[logarithm[a] + 255 - logarithm[b]] : 0;
}

#endif
