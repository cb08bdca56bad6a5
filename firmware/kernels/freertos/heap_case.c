/* One block, and a heap in fragments. */
#include "cases/heap_case.h"

enum { SMALL = 8 };

uint32_t one_block_bytes(const struct series *series) {
    return BLOCK_BYTES(series->x);
}

bool free_block(const struct series *series, uintptr_t block) {
    vPortFree((void *)block);
    return block != 0;
}

void **small;
static uint32_t small_count;

uint32_t fragments_bytes(const struct series *series) {
    return BLOCK_BYTES(2 * series->x * sizeof *small) + 2 * series->x * BLOCK_BYTES(SMALL);
}

/* No object is larger than a task. */
uint32_t fragments_and_object_bytes(const struct series *series) {
    return fragments_bytes(series) + PARTNER_BYTES + BLOCK_BYTES(GUARD);
}

bool make_fragments(const struct series *series) {
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

void free_fragments(const struct series *series) {
    for (uint32_t i = 0; i < small_count; i++)
        vPortFree(small[i]);
    vPortFree(small);
}
