/* Linux as the harness sees it. Where its tick is hidden, a "tick" is a millisecond of
 * CLOCK_MONOTONIC: the unit of sleeping, nothing that interrupts. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>
#include <time.h>

#include "case.h"
#include "system.h"

#define KERNEL_NAME "posix"
#ifdef SYSTEM_VERSION
#define KERNEL_VERSION SYSTEM_VERSION
#else
#define KERNEL_VERSION "pthreads"
#endif

#if SYSTEM_TICK_HZ
#define KERNEL_TICK_HZ SYSTEM_TICK_HZ
static inline uint32_t kernel_ticks(void) {
    return system_ticks();
}
#else
#define KERNEL_TICK_HZ 1000
static inline uint32_t kernel_ticks(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)((uint64_t)now.tv_sec * KERNEL_TICK_HZ +
                      (uint64_t)now.tv_nsec / (1000000000 / KERNEL_TICK_HZ));
}
#endif

static inline void kernel_begin_series(void) {}

/* Unused memory in bytes that threads may take. */
uint32_t kernel_free_bytes(void);

#endif
