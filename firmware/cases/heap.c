/* stdlib.h: the heap. Where a state would not last from one call to the next, it is made anew after
 * each: library and arena go back to their beginning. */
#include <stdlib.h>

#include "library.h"
#include "library_case.h"

enum { SMALL = 8, LARGE = 64, HEADER = 16 };

#define BY_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(8, 1024)
#define BY_FREE_BLOCKS .parameter = "free blocks before", .unit = "block", X_FROM_TO(1, 64)

static void *block, *other, *small[2 * 64];

static void begin_again(void) {
    arena_reset();
    library_reset();
}

/* The caller of free() and realloc() has a block of x bytes; it is the last of the heap. */
static bool allocate(const struct series *series) {
    block = malloc(series->x);
    return block != NULL;
}

static uint32_t one_block_bytes(const struct series *series) {
    return series->x + HEADER;
}

/* Allocate: the first block ever; as the heap grows; a free block of the size; of a larger one. */

static bool was_first(const struct series *series, uintptr_t result) {
    begin_again();
    return result != 0;
}

TIMED_CASE(malloc, first_ever, malloc, malloc(series->x), LIBRARY, BY_SIZE,
           .condition = "a heap without blocks: takes memory of the system",
           .bytes = one_block_bytes, .after = was_first)

static bool begin_heap(const struct series *series) {
    return malloc(SMALL) != NULL;
}

static bool begin_heap_again(const struct series *series, uintptr_t result) {
    begin_again();
    return begin_heap(series) && result != 0;
}

static uint32_t begun_bytes(const struct series *series) {
    return series->x + SMALL + 2 * HEADER;
}

TIMED_CASE(malloc, grows_heap, malloc, malloc(series->x), LIBRARY, BY_SIZE,
           .condition = "no free block: the heap takes more of the system", .bytes = begun_bytes,
           .set_up = begin_heap, .after = begin_heap_again)

static bool free_one(const struct series *series) {
    void *one = malloc(series->x);
    bool more = malloc(SMALL) != NULL; /* behind it: the free block is not the heap's end */
    free(one);
    return one != NULL && more;
}

static bool free_result(const struct series *series, uintptr_t result) {
    free((void *)result);
    return result != 0;
}

TIMED_CASE(malloc, fits_exactly, malloc, malloc(series->x), LIBRARY, BY_SIZE,
           .condition = "one free block of this size", .bytes = begun_bytes, .set_up = free_one,
           .after = free_result)

static uint32_t double_bytes(const struct series *series) {
    return 2 * series->x + SMALL + 4 * HEADER;
}

static bool free_double(const struct series *series) {
    return free_one(&(struct series){.x = 2 * series->x + HEADER});
}

TIMED_CASE(malloc, splits, malloc, malloc(series->x), LIBRARY, BY_SIZE,
           .condition = "one free block of twice the size, which is split", .bytes = double_bytes,
           .set_up = free_double, .after = free_result)

/* More than there is. */

AFTER(is_null, result == 0)

#if SIZE_MAX > UINT16_MAX
TIMED_CASE(malloc, exhausted, malloc, malloc(1 << 20), LIBRARY,
           .condition = "more than the system has", .set_up = begin_heap, .after = is_null)
#else
TIMED_CASE(malloc, exhausted, malloc, malloc(1 << 14), LIBRARY,
           .condition = "more than the system has", .set_up = begin_heap, .after = is_null)
#endif

/* Allocate behind x free blocks that are too small: every second of 2 x small blocks is free. */

static uint32_t fragments_bytes(const struct series *series) {
    return 2 * series->x * (SMALL + HEADER) + 4 * (LARGE + HEADER);
}

static bool make_fragments(const struct series *series) {
    for (uint32_t i = 0; i < 2 * series->x; i++)
        if ((small[i] = malloc(SMALL)) == NULL)
            return false;
    for (uint32_t i = 0; i < 2 * series->x; i += 2)
        free(small[i]);
    return true;
}

static bool make_fragments_and_large(const struct series *series) {
    bool made = make_fragments(series);
    block = malloc(LARGE);
    other = malloc(SMALL + LARGE); /* behind it: the block is not the heap's end */
    return made && block != NULL && other != NULL;
}

static bool make_fragments_and_room(const struct series *series) {
    bool made = make_fragments_and_large(series);
    free(block);
    return made;
}

TIMED_CASE(malloc, behind_small_blocks, malloc, malloc(LARGE), LIBRARY, BY_FREE_BLOCKS,
           .condition = "behind free blocks that are too small", .bytes = fragments_bytes,
           .set_up = make_fragments_and_room, .after = free_result)

/* Free: among x free blocks, neighbours in use; joining with the free block behind, before, both.
 */

static bool take_large(const struct series *series, uintptr_t nothing) {
    block = malloc(LARGE);
    return block != NULL;
}

TIMED_ACTION(free, behind_free_blocks, free, free(block), LIBRARY, BY_FREE_BLOCKS,
             .condition = "behind free blocks; its neighbours are in use", .bytes = fragments_bytes,
             .set_up = make_fragments_and_large, .after = take_large)

static void *row[5];

/* Five blocks; those of which `freed` has the bit are free. */
static bool make_row(uint32_t freed) {
    begin_again();
    for (int i = 0; i < 5; i++)
        if ((row[i] = malloc(LARGE)) == NULL)
            return false;
    for (int i = 0; i < 5; i++)
        if (freed >> i & 1)
            free(row[i]);
    return true;
}

static uint32_t row_bytes(const struct series *series) {
    return 5 * (LARGE + HEADER);
}

#define FREE_IN_ROW(state, freed, text)                                                           \
    static bool row_##state(const struct series *series) {                                        \
        return make_row(freed);                                                                   \
    }                                                                                             \
    static bool again_##state(const struct series *series, uintptr_t nothing) {                   \
        return make_row(freed);                                                                   \
    }                                                                                             \
    TIMED_ACTION(free, state, free, free(row[2]), LIBRARY, .condition = text, .bytes = row_bytes, \
                 .set_up = row_##state, .after = again_##state)

FREE_IN_ROW(first, 0, "no other block is free")
FREE_IN_ROW(before_free_blocks, 1 << 4, "before a free block that it does not touch")
FREE_IN_ROW(joins_next, 1 << 3, "the block behind it is free")
FREE_IN_ROW(joins_previous, 1 << 1, "the block before it is free")
FREE_IN_ROW(joins_both, 1 << 1 | 1 << 3, "its two neighbours are free")

TIMED_ACTION(free, null, free, free(NULL), LIBRARY, .condition = "no block")

/* calloc(): x items of 8 bytes. */

static uint32_t items_bytes(const struct series *series) {
    return 8 * series->x + SMALL + 2 * HEADER;
}

static bool free_items(const struct series *series) {
    return free_one(&(struct series){.x = 8 * series->x});
}

TIMED_CASE(calloc, fits_exactly, calloc, calloc(series->x, 8), LIBRARY,
           .condition = "items of 8 bytes; one free block of the size", .parameter = "items",
           .unit = "item", X_FROM_TO(1, 128), .bytes = items_bytes, .set_up = free_items,
           .after = free_result)

/* realloc() of a block of x bytes. */

static bool allocate_and_more(const struct series *series) {
    return allocate(series) && malloc(SMALL) != NULL;
}

static uint32_t moves_bytes(const struct series *series) {
    return 3 * series->x + 2 * SMALL + 4 * HEADER;
}

static bool allocate_again(const struct series *series, uintptr_t result) {
    begin_again();
    return allocate_and_more(series) && result != 0;
}

TIMED_CASE(realloc, moves, realloc, realloc(block, 2 * series->x), LIBRARY, BY_SIZE,
           .condition = "to twice the size; the block behind it is in use", .bytes = moves_bytes,
           .set_up = allocate_and_more, .after = allocate_again)

static bool allocate_last_again(const struct series *series, uintptr_t result) {
    begin_again();
    return allocate(series) && result != 0;
}

TIMED_CASE(realloc, last_of_heap, realloc, realloc(block, 2 * series->x), LIBRARY, BY_SIZE,
           .condition = "to twice the size; it is the last block of the heap", .bytes = moves_bytes,
           .set_up = allocate, .after = allocate_last_again)

static bool allocate_before_free(const struct series *series) {
    bool made = allocate(series);
    other = malloc(2 * series->x);
    made = made && other != NULL && malloc(SMALL) != NULL;
    free(other);
    return made;
}

static bool allocate_before_free_again(const struct series *series, uintptr_t result) {
    begin_again();
    return allocate_before_free(series) && result != 0;
}

TIMED_CASE(realloc, next_is_free, realloc, realloc(block, 2 * series->x), LIBRARY, BY_SIZE,
           .condition = "to twice the size; the block behind it is free and large enough",
           .bytes = moves_bytes, .set_up = allocate_before_free,
           .after = allocate_before_free_again)

AFTER(is_block, result == (uintptr_t)block)

TIMED_CASE(realloc, same_size, realloc, realloc(block, series->x), LIBRARY, BY_SIZE,
           .condition = "to the size it has", .bytes = one_block_bytes, .set_up = allocate,
           .after = is_block)

static bool allocate_large(const struct series *series) {
    return allocate(&(struct series){.x = 4 * series->x});
}

static bool allocate_large_again(const struct series *series, uintptr_t result) {
    begin_again();
    return allocate_large(series) && result != 0;
}

static uint32_t large_bytes(const struct series *series) {
    return 4 * series->x + HEADER;
}

TIMED_CASE(realloc, shrinks, realloc, realloc(block, series->x), LIBRARY, BY_SIZE,
           .condition = "to a quarter of its size", .bytes = large_bytes, .set_up = allocate_large,
           .after = allocate_large_again)

TIMED_CASE(realloc, of_null, realloc, realloc(NULL, series->x), LIBRARY, BY_SIZE,
           .condition = "no block yet; one free block of the size", .bytes = begun_bytes,
           .set_up = free_one, .after = free_result)
