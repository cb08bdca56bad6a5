/* The arena: the memory of the library's cases, one block of ARENA_BYTES, whole again before each
 * series. The library's heap grows from its beginning, through _sbrk(); what a case takes for
 * itself comes from its end. */
#ifndef ARENA_H
#define ARENA_H

#include <stddef.h>

/* Everything is given back. */
void arena_reset(void);

/* Takes so many bytes, aligned to 8; NULL: there is no space. */
void *arena_take(size_t bytes);

/* The bytes that arena_take() uses for so many bytes. */
#define ARENA_BLOCK(bytes) (((bytes) + 7u) & ~(size_t)7)

#endif
