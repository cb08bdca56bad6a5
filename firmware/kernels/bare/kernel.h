/* No kernel, as the harness sees it: no ticks, no tasks, no interrupts, and no memory but the
 * arena of the library's cases. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

#include "board.h"
#include "case.h"

#define KERNEL_NAME "bare"
#define KERNEL_VERSION "none"
#define KERNEL_TICK_HZ 0

static inline uint32_t kernel_ticks(void) {
    return 0;
}

static inline void kernel_yield(void) {}

static inline void kernel_sleep(void) {
    board_sleep();
}

static inline uint32_t kernel_free_bytes(void) {
#ifdef ARENA_BYTES
    return ARENA_BYTES;
#else
    return 0;
#endif
}

/* Gives arena and library their state after start-up (cases/library.c). */
#ifdef ARENA_BYTES
void kernel_begin_series(void);
#else
static inline void kernel_begin_series(void) {}
#endif

/* No case asks for it. */
static inline void kernel_interrupt(timed_function *timed, const struct series *series,
                                    struct timing *timing) {
    timed(series, timing);
}

#endif
