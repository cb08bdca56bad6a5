/* string.h: blocks of memory. */
#include <string.h>

#include "library_case.h"

static const uint32_t block_bytes[] = {0, 8, 16, 64, 256, 1024};

static char *source, *target;

static size_t two_blocks_bytes(const struct series *series) {
    return 2 * ARENA_BLOCK(series->x + 8);
}

static bool take_two_blocks(const struct series *series) {
    source = arena_take(series->x + 8);
    target = arena_take(series->x + 8);
    return target != NULL;
}

TIMED_ACTION(memcpy, aligned, memcpy, memcpy(target, source, series->x), LIBRARY,
             .condition = "source and target begin at a word", .parameter = "size", .unit = "byte",
             VALUES(block_bytes), .bytes = two_blocks_bytes, .set_up = take_two_blocks)
