/* Entry, loop, exit: the graph of Moreno and Fischmeister, Figure 4. Entry and exit execute equally
 * often whatever the input, so whole executions give only the sum of their times. */
#include "fragment.h"

static uint32_t state, turns;

EXECUTE {
    uint32_t mixed = state + 0x9E37;
    uint32_t left = turns;
    do {
        mixed ^= mixed << 7;
        mixed ^= mixed >> 9;
        mixed += left;
    } while (--left);
    state = mixed >> 2;
}

PREPARE(round) {
    state = round;
    turns = 1 + round * 7 % 13;
}
