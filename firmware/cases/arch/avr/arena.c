/* The arena on AVR: avr-libc's heap begins at its beginning (library.mk) and may grow up to what a
 * case has taken. */
#include "arena.h"

#include <stdint.h>
#include <stdlib.h>

uint8_t arena[ARENA_BYTES];
static size_t taken_bytes;

/* The end of avr-libc's heap, NULL before its first block. */
extern char *__brkval;

void arena_reset(void) {
    taken_bytes = 0;
    __malloc_heap_end = (char *)arena + sizeof arena;
}

void *arena_take(size_t bytes) {
    size_t heap_bytes = __brkval == NULL ? 0 : (size_t)(__brkval - (char *)arena);
    if (ARENA_BLOCK(bytes) > sizeof arena - heap_bytes - taken_bytes)
        return NULL;
    taken_bytes += ARENA_BLOCK(bytes);
    __malloc_heap_end = (char *)arena + sizeof arena - taken_bytes;
    return __malloc_heap_end;
}
