/* The clock of POSIX: clock_gettime(CLOCK_MONOTONIC), in nanoseconds. */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>
#include <time.h>

#include "elapsed.h"
#include "registers.h"

#define TIMER_NAME "clock_gettime"
#define TIMER_HZ 1000000000u
#define PROBE_TIMER_SYMBOL() ((void)0)

static inline void timer_start(void) {}

static inline uint64_t nanoseconds(const struct timespec *time) {
    return (uint64_t)time->tv_sec * TIMER_HZ + (uint64_t)time->tv_nsec;
}

static inline uint32_t timer_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint32_t)nanoseconds(&now);
}

/* No address is read: there is nothing to hold. */
static inline const volatile uint32_t *probe_timer(void) {
    return 0;
}

#define PROBE(timer, label)                                \
    ({                                                     \
        struct timespec now_;                              \
        (void)(timer);                                     \
        __asm volatile("probe." label ":" : : : "memory"); \
        clock_gettime(CLOCK_MONOTONIC, &now_);             \
        __asm volatile("" : : : "memory");                 \
        (uint32_t) nanoseconds(&now_);                     \
    })

#define POINT_START(label)                   \
    struct timespec start_, stop_;           \
    clock_gettime(CLOCK_MONOTONIC, &start_); \
    __asm volatile(label ".start:" : : : "memory")

#define POINT_STOP(label, timing)                                      \
    do {                                                               \
        __asm volatile(label ".stop:" : : : "memory");                 \
        clock_gettime(CLOCK_MONOTONIC, &stop_);                        \
        KEEP_TIMES(timing, nanoseconds(&start_), nanoseconds(&stop_)); \
    } while (0)

#endif
