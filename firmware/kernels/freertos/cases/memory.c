/* The kernel's heap (heap_4: first fit, blocks split and joined). */
#include "heap_case.h"

/* Allocate, with one free block in the heap; each block is freed before the next sample. */

TIMED_CASE(malloc, one_free_block, pvPortMalloc, pvPortMalloc(series->x), LIBRARY,
           .condition = "heap_4, one free block", .parameter = "block size", .unit = "byte",
           X_FROM_TO(8, 1024), .bytes = one_block_bytes, .after = free_block)

/* More than the heap has. */

enum { TOO_LARGE = sizeof(size_t) > 2 ? 64L << 20 : 16 << 10 };

TIMED_CASE(malloc, too_large, pvPortMalloc, pvPortMalloc(TOO_LARGE), LIBRARY,
           .condition = "heap_4, less is free than asked for", .after = is_zero)

/* Allocate behind N free blocks that are too small. */

enum { LARGE = 64 };

static uint32_t fragments_and_block_bytes(const struct series *series) {
    return fragments_bytes(series) + BLOCK_BYTES(LARGE);
}

TIMED_CASE(malloc, behind_small_blocks, pvPortMalloc, pvPortMalloc(LARGE), LIBRARY,
           .condition = "heap_4, behind free blocks that are too small",
           .parameter = "small blocks", .unit = "block", X_FROM_TO(1, 64),
           .bytes = fragments_and_block_bytes, .set_up = make_fragments, .after = free_block,
           .tear_down = free_fragments)

/* Free a block that the free rest of the heap follows: they join. */

static void *block;

static uint32_t block_bytes_needed(const struct series *series) {
    return BLOCK_BYTES(LARGE);
}

static bool allocate(const struct series *series) {
    block = pvPortMalloc(LARGE);
    return block != NULL;
}

static bool allocate_again(const struct series *series, uintptr_t nothing) {
    return allocate(series);
}

static void free_it(const struct series *series) {
    vPortFree(block);
}

TIMED_ACTION(free, joins_next, vPortFree, vPortFree(block), LIBRARY,
             .condition = "heap_4, the free rest of the heap is next", .bytes = block_bytes_needed,
             .set_up = allocate, .after = allocate_again, .tear_down = free_it)

/* Free the last of 2 N + 1 small blocks, of which every second is free: nothing joins. */

static bool make_fragments_and_last(const struct series *series) {
    block = NULL;
    if (!make_fragments(series))
        return false;
    block = pvPortMalloc(LARGE);
    small[0] =
        pvPortMalloc(LARGE); /* behind the block: the rest of the heap is not its neighbour */
    return block != NULL && small[0] != NULL;
}

static uint32_t last_bytes(const struct series *series) {
    return fragments_and_block_bytes(series) + BLOCK_BYTES(LARGE);
}

static void free_all(const struct series *series) {
    vPortFree(block);
    free_fragments(series);
}

TIMED_ACTION(free, behind_small_blocks, vPortFree, vPortFree(block), LIBRARY,
             .condition = "heap_4, behind free blocks, neighbours in use",
             .parameter = "small blocks", .unit = "block", X_FROM_TO(1, 64), .bytes = last_bytes,
             .set_up = make_fragments_and_last, .after = allocate_again, .tear_down = free_all)
