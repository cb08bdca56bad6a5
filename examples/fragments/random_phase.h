/* Waits a random time before each measurement, untimed. So the samples of a logic analyser fall
 * elsewhere from one measurement to the next, and from seed to seed. The wait is 0 to 999
 * iterations, by Marsaglia's xorshift of 32 bits (2003). */
#include "fragment.h"

#ifndef SEED
#define SEED 1u
#endif

static uint32_t phase_random = SEED * 2654435761u;

PREPARE(round) {
    phase_random ^= phase_random << 13;
    phase_random ^= phase_random >> 17;
    phase_random ^= phase_random << 5;
    for (uint32_t turns = phase_random % 1000u; turns; turns--)
        OPAQUE(turns);
}
