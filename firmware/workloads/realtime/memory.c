/* Load on the memory: blocks copied, filled and compared, without a call of the kernel. */
#include <string.h>

#include "background.h"

enum { BLOCK_BYTES = 128 };

static uint8_t blocks[BACKGROUND_THREADS + 1][2][BLOCK_BYTES];

static void copy(struct background *self) {
    memcpy(blocks[self->origin][0], blocks[self->origin][1], BLOCK_BYTES);
}

static void copy_unaligned(struct background *self) {
    memmove(blocks[self->origin][0] + 1, blocks[self->origin][1], BLOCK_BYTES - 1);
}

static void fill(struct background *self) {
    memset(blocks[self->origin][1], (int)(self->random >> 24), BLOCK_BYTES);
}

static void compare(struct background *self) {
    volatile int order = memcmp(blocks[self->origin][0], blocks[self->origin][1], BLOCK_BYTES);
    (void)order;
}

static const struct step of_memory[] = {{copy}, {copy_unaligned}, {fill}, {compare}};

bool memory_set_up(struct background threads[BACKGROUND_THREADS]) {
    for (int i = 0; i < BACKGROUND_THREADS; i++)
        threads[i] = (struct background)STEPS(of_memory);
    return true;
}

void memory_tear_down(void) {}
