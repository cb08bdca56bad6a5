/* Queries of the kernel's heap (heap_4), and blocks that are cleared and joined. */
#include "heap_case.h"

enum { BLOCK = 64 };

/* Allocate and clear. */

TIMED_CASE(calloc, one_free_block, pvPortCalloc, pvPortCalloc(1, series->x), LIBRARY,
           .condition = "heap_4, one free block", .parameter = "block size", .unit = "byte",
           X_FROM_TO(8, 1024), .bytes = one_block_bytes, .after = free_block)

static uint32_t cleared_behind_bytes(const struct series *series) {
    return fragments_bytes(series) + BLOCK_BYTES(BLOCK);
}

TIMED_CASE(calloc, behind_small_blocks, pvPortCalloc, pvPortCalloc(1, BLOCK), LIBRARY,
           .condition = "heap_4, behind free blocks that are too small", AMONG_FRAGMENTS,
           .bytes = cleared_behind_bytes, .set_up = make_fragments, .after = free_block,
           .tear_down = free_fragments)

TIMED_CASE(malloc, zero, pvPortMalloc, pvPortMalloc(0), LIBRARY, .condition = "heap_4, no bytes",
           .after = is_zero)

TIMED_ACTION(free, null, vPortFree, vPortFree(NULL), LIBRARY, .condition = "heap_4, no block")

/* Three blocks, next to each other; behind them the free rest of the heap. */

static void *first, *second, *third;

static uint32_t three_bytes(const struct series *series) {
    return 3 * BLOCK_BYTES(BLOCK);
}

static bool allocate_three(const struct series *series) {
    first = pvPortMalloc(BLOCK);
    second = pvPortMalloc(BLOCK);
    third = pvPortMalloc(BLOCK);
    return first != NULL && second != NULL && third != NULL;
}

static void free_three(const struct series *series) {
    vPortFree(first);
    vPortFree(second);
    vPortFree(third);
}

/* Free behind a free block, and between two. */

static bool make_first_free(const struct series *series) {
    bool made = allocate_three(series);
    vPortFree(first);
    first = NULL;
    return made;
}

static bool take_first_and_second(const struct series *series, uintptr_t nothing) {
    first = pvPortMalloc(BLOCK);
    second = pvPortMalloc(BLOCK);
    vPortFree(first);
    first = NULL;
    return second != NULL;
}

TIMED_ACTION(free, joins_previous, vPortFree, vPortFree(second), LIBRARY,
             .condition = "heap_4, a free block before it, one in use behind it",
             .bytes = three_bytes, .set_up = make_first_free, .after = take_first_and_second,
             .tear_down = free_three)

static bool make_both_free(const struct series *series) {
    bool made = allocate_three(series);
    vPortFree(first);
    vPortFree(third);
    first = third = NULL;
    return made;
}

TIMED_ACTION(free, joins_both, vPortFree, vPortFree(second), LIBRARY,
             .condition = "heap_4, free blocks before and behind it", .bytes = three_bytes,
             .set_up = make_both_free, .after = take_first_and_second, .tear_down = free_three)

/* Ask. */

TIMED_CASE(heap_free_bytes, any, xPortGetFreeHeapSize, xPortGetFreeHeapSize(), LIBRARY,
           .condition = "heap_4", .after = is_some)

/* Nothing: the whole heap was allocated once, before the first case. */
TIMED_CASE(heap_least_free_bytes, any, xPortGetMinimumEverFreeHeapSize,
           xPortGetMinimumEverFreeHeapSize(), LIBRARY, .condition = "heap_4", .after = is_zero)

static bool allocate_all_once(const struct series *series, uintptr_t nothing) {
    void *all = pvPortMalloc(xPortGetFreeHeapSize() - BLOCK_BYTES(0));
    vPortFree(all);
    return all != NULL;
}

TIMED_ACTION(heap_least_free_reset, any, xPortResetHeapMinimumEverFreeHeapSize,
             xPortResetHeapMinimumEverFreeHeapSize(), LIBRARY, .condition = "heap_4",
             .after = allocate_all_once)

/* Statistics: of N free blocks between blocks in use, and of the free rest of the heap. */

static HeapStats_t stats;

static bool has_counted(const struct series *series, uintptr_t nothing) {
    return stats.xNumberOfFreeBlocks == series->x + 1;
}

TIMED_ACTION(heap_stats, free_blocks, vPortGetHeapStats, vPortGetHeapStats(&stats), LIBRARY,
             .condition = "heap_4, and the free rest of the heap", .parameter = "small free blocks",
             .unit = "block", X_FROM_TO(1, 64), .bytes = fragments_bytes, .set_up = make_fragments,
             .after = has_counted, .tear_down = free_fragments)
