/* Two conditionals between blocks that always execute: the graph of Moreno and Fischmeister, Figure
 * 5. Blocks 0, 3 and 6 execute equally often, and so do the two arms of a conditional together:
 * merging the three columns does not yet make the system solvable. */
#include "fragment.h"

static volatile uint32_t high, low, odd, even;
static uint32_t value;

EXECUTE {
    uint32_t mixed = value ^ value >> 5;
    if (mixed & 8) {
        high = mixed;
        low = mixed + 1;
        high = low ^ 3;
        mixed += high;
        odd = mixed;
        even = high;
    } else {
        low = mixed;
        even = low + 2;
        mixed -= even;
        odd = mixed ^ 5;
        high = mixed;
        low = odd;
        even = 1;
    }
    mixed ^= mixed << 3;
    if (mixed & 32) {
        odd = mixed;
        mixed += odd << 2;
        even = mixed;
        odd = even >> 1;
        low = mixed;
        high = odd;
    } else {
        even = mixed;
        high = even ^ mixed;
        low = mixed << 1;
        odd = high;
        mixed ^= low;
        even = mixed;
        low = odd;
        high = even;
    }
    value = mixed + 1;
}

PREPARE(round) {
    value = round * 2654435761u;
}
