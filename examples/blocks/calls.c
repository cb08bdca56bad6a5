/* A switch, calls, recursion and a tail call: the report shows the blocks of every function
 * reached. */
#include "fragment.h"

static volatile uint32_t left, right;
static uint32_t what, depth, result;

__attribute__((noipa)) static uint32_t leaf(uint32_t x) {
    return x << 3 ^ x;
}

__attribute__((noipa)) static uint32_t recursive(uint32_t n) {
    return n == 0 ? 1 : (recursive(n - 1) << 1) + n;
}

__attribute__((noipa)) static uint32_t choice(uint32_t which, uint32_t y) {
    switch (which) {
    case 0:
        return y + leaf(1);
    case 1:
        left = y;
        return 3;
    case 2:
        right = y;
        return y - 7;
    case 3:
        return leaf(y);
    case 4:
        return y + (leaf(y) << 2);
    case 5:
        left = 3;
        return y ^ 3;
    case 6:
        return leaf(4) - y;
    default:
        return 0;
    }
}

EXECUTE {
    result = choice(what, depth) + recursive(depth);
    if (result & 1)
        result = leaf(result);
}

PREPARE(round) {
    what = round % 9;
    depth = round * 5 % 7;
}
