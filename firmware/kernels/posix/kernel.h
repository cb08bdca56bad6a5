/* Linux as the harness sees it. */
#ifndef KERNEL_H
#define KERNEL_H

#include <sched.h>
#include <stdint.h>

#include "case.h"
#include "system.h"

#define KERNEL_NAME "posix"
#ifdef SYSTEM_VERSION
#define KERNEL_VERSION SYSTEM_VERSION
#else
#define KERNEL_VERSION "pthreads"
#endif
#define KERNEL_TICK_HZ SYSTEM_TICK_HZ

static inline uint32_t kernel_ticks(void) {
    return system_ticks();
}

/* Tear-downs give everything back. */
static inline void kernel_begin_series(void) {}

/* Lets the other ready threads of the same priority run. */
static inline void kernel_yield(void) {
    sched_yield();
}

/* Waits for the next tick; no other thread of the program runs meanwhile. */
void kernel_sleep(void);

/* Unused memory in bytes, at most what 32 bits hold. */
uint32_t kernel_free_bytes(void);

/* No case asks for it: a program has no interrupt service routine. */
static inline void kernel_interrupt(timed_function *timed, const struct series *series,
                                    struct timing *timing) {
    timed(series, timing);
}

#endif
