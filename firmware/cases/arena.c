/* The arena, and the library's heap in it. */
#include "arena.h"

#include <errno.h>
#include <stdint.h>

#include "system_call.h"

static uint8_t arena[ARENA_BYTES] __attribute__((aligned(8)));
static size_t heap_bytes, taken_bytes;

void arena_reset(void) {
    heap_bytes = taken_bytes = 0;
}

void *arena_take(size_t bytes) {
    if (ARENA_BLOCK(bytes) > sizeof arena - heap_bytes - taken_bytes)
        return NULL;
    taken_bytes += ARENA_BLOCK(bytes);
    return arena + sizeof arena - taken_bytes;
}

void *SYSTEM_CALL(sbrk)(ptrdiff_t change) {
    size_t room = sizeof arena - taken_bytes - heap_bytes;
    if (change > 0 ? (size_t)change > room : (size_t)-change > heap_bytes) {
        errno = ENOMEM;
        return (void *)-1;
    }
    void *before = arena + heap_bytes;
    heap_bytes += (size_t)change;
    return before;
}
