/* A fragment whose way depends on its input: a coder that makes four bits of each sample of a
 * signal. The bits are the sign and the size of its distance from what was expected. Steps grow
 * with large distances and shrink with small ones. PREPARE gives it another signal in every round,
 * so that its basic blocks execute differently often, and their times can be separated.
 *
 *     cyclescope time examples/fragments/delta_coder.c --blocks
 */
#include "fragment.h"

enum { COUNT = 16, SIGN = 8, LEAST_STEP = 4, LARGEST_STEP = 2048, LIMIT = 32767 };

static int signal[COUNT];
static unsigned char codes[COUNT];

/* How far the step is to go after a code, in quarters of itself. */
static const signed char growth[SIGN] = {-1, -1, 0, 0, 1, 2, 4, 8};

__attribute__((noipa)) static void code_signal(const int *sample, unsigned char *code, int count) {
    int expected = 0, step = LEAST_STEP;
    for (int i = 0; i < count; i++) {
        int distance = sample[i] - expected;
        int bits = 0, moved = 0;
        if (distance < 0) {
            bits = SIGN;
            distance = -distance;
        }
        for (int part = 4, size = step; part > 0; part >>= 1, size >>= 1) {
            if (distance >= size) {
                bits |= part;
                distance -= size;
                moved += size;
            }
        }
        expected += bits & SIGN ? -moved : moved;
        if (expected > LIMIT)
            expected = LIMIT;
        else if (expected < -LIMIT)
            expected = -LIMIT;
        step += step * growth[bits & (SIGN - 1)] / 4;
        if (step < LEAST_STEP)
            step = LEAST_STEP;
        else if (step > LARGEST_STEP)
            step = LARGEST_STEP;
        code[i] = (unsigned char)bits;
    }
}

/* A walk at random, the same for the same round; some rounds are quiet, some so loud that the
 * coder comes to its limits.
 */
PREPARE(round) {
    uint32_t random = 12345u + round * 2654435761u;
    int level = 0, loudness = 1 << (3 * (round % 5));
    for (int i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        level += ((int)(random >> 20) - 2048) * loudness / 256;
        signal[i] = level;
    }
}

EXECUTE {
    code_signal(signal, codes, COUNT);
    KEEP(codes[0]);
}
