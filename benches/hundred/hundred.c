/* A fragment of exactly 100 cycles where no fetch waits: the reference of Moreno and Fischmeister,
 * table 1. The call's branch takes 3 cycles, each of the 94 instructions 1, the return 3.
 *
 * PREPARE waits a different time before each round, untimed, so that the analyser's samples fall
 * differently. */
#include "fragment.h"

PREPARE(round) {
    for (uint32_t turns = (round * 7919u) % 97u; turns; turns--)
        OPAQUE(turns);
}

EXECUTE {
    __asm volatile(".rept 94\n\tmov r0, r0\n\t.endr");
}
