/* Distances between counts of the timer behind alarm and line, which has BOARD_COUNT_BITS bits. */
#ifndef COUNTS_H
#define COUNTS_H

#include <stdint.h>

#include "registers.h"

/* Of two readings within one revolution of the timer. */
static inline uint32_t counts_between(uint32_t earlier, uint32_t later) {
    return (later - earlier) & (UINT32_MAX >> (32 - BOARD_COUNT_BITS));
}

/* Until `later`; negative if it has passed. Of less than half a revolution. */
static inline int32_t counts_until(uint32_t now, uint32_t later) {
    const int unused_bits = 32 - BOARD_COUNT_BITS;
    return (int32_t)((later - now) << unused_bits) >> unused_bits;
}

#endif
