/* The kernel's heap (heap_4: first fit, blocks split and joined). */
#include "freertos_case.h"

/* Allocate, with one free block in the heap; each block is freed before the next sample. */

static const uint32_t block_bytes[] = {8, 16, 32, 64, 128, 256, 512, 1024};

static size_t malloc_bytes(const struct series *series) {
    return BLOCK_BYTES(series->x);
}

static bool nothing_to_set_up(const struct series *series) {
    (void)series;
    return true;
}

static bool free_block(const struct series *series, uintptr_t block) {
    (void)series;
    vPortFree((void *)block);
    return block != 0;
}

static void nothing_to_tear_down(const struct series *series) {
    (void)series;
}

TIMED_CASE(malloc, one_free_block, pvPortMalloc, pvPortMalloc(series->x), LIBRARY,
           .condition = "heap_4, one free block", .parameter = "block size", .unit = "byte",
           VALUES(block_bytes), .bytes = malloc_bytes, .set_up = nothing_to_set_up,
           .after = free_block, .tear_down = nothing_to_tear_down)
