/* What the kernel's heap (heap_4) is asked, and blocks that are cleared and joined. */
#include "freertos_case.h"

/* Allocate and clear. */

static const uint32_t block_bytes[] = {8, 16, 32, 64, 128, 256, 512, 1024};

static size_t calloc_bytes(const struct series *series) {
    return BLOCK_BYTES(series->x);
}

static bool free_block(const struct series *series, uintptr_t block) {
    vPortFree((void *)block);
    return block != 0;
}

TIMED_CASE(calloc, one_free_block, pvPortCalloc, pvPortCalloc(1, series->x), LIBRARY,
           .condition = "heap_4, one free block", .parameter = "block size", .unit = "byte",
           VALUES(block_bytes), .bytes = calloc_bytes, .after = free_block)

TIMED_CASE(malloc, zero, pvPortMalloc, pvPortMalloc(0), LIBRARY, .condition = "heap_4, no bytes",
           .after = is_zero)

TIMED_ACTION(free, null, vPortFree, vPortFree(NULL), LIBRARY, .condition = "heap_4, no block")

/* Three blocks, next to each other; behind them the free rest of the heap. */

enum { BLOCK = 64 };

static void *first, *second, *third;

static size_t three_bytes(const struct series *series) {
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

static const uint32_t free_blocks[] = {1, 2, 4, 8, 16, 32, 48, 64};

enum { SMALL = 8 };

static HeapStats_t stats;
static void **small;
static uint32_t small_count;

static size_t small_bytes(const struct series *series) {
    return BLOCK_BYTES(2 * series->x * sizeof *small) + 2 * series->x * BLOCK_BYTES(SMALL);
}

static bool make_small(const struct series *series) {
    small_count = 0;
    small = pvPortMalloc(2 * series->x * sizeof *small);
    while (small != NULL && small_count < 2 * series->x &&
           (small[small_count] = pvPortMalloc(SMALL)) != NULL)
        small_count++;
    for (uint32_t i = 0; i < small_count; i += 2) {
        vPortFree(small[i]);
        small[i] = NULL;
    }
    return small_count == 2 * series->x;
}

static bool has_counted(const struct series *series, uintptr_t nothing) {
    return stats.xNumberOfFreeBlocks == series->x + 1;
}

static void free_small(const struct series *series) {
    for (uint32_t i = 0; i < small_count; i++)
        vPortFree(small[i]);
    vPortFree(small);
}

TIMED_ACTION(heap_stats, free_blocks, vPortGetHeapStats, vPortGetHeapStats(&stats), LIBRARY,
             .condition = "heap_4, and the free rest of the heap", .parameter = "small free blocks",
             .unit = "block", VALUES(free_blocks), .bytes = small_bytes, .set_up = make_small,
             .after = has_counted, .tear_down = free_small)
