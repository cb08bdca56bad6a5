/* Shared by the cases of the kernel's heap (heap_case.c). */
#ifndef HEAP_CASE_H
#define HEAP_CASE_H

#include "freertos_case.h"

/* Hooks of a case that allocates one block of x bytes, which is freed before the next sample. */
uint32_t one_block_bytes(const struct series *series);
bool free_block(const struct series *series, uintptr_t block);

/* Hooks of a case that meets x free blocks: 2 x small blocks, of which every second is free. */
extern void **small;
uint32_t fragments_bytes(const struct series *series);
bool make_fragments(const struct series *series);
void free_fragments(const struct series *series);

/* Fields of a case whose x is that, and that creates an object which its .after deletes, or deletes
 * one. */
#define AMONG_FRAGMENTS .parameter = "small blocks", .unit = "block", X_FROM_TO(1, 64)
uint32_t fragments_and_object_bytes(const struct series *series);

#endif
