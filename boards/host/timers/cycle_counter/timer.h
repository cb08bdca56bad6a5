/* The core's own counter, serialised. It survives calls in a register. */
#ifndef TIMER_H
#define TIMER_H

#include "counter.h"
#include "elapsed.h"
#include "registers.h"

#define TIMER_NAME "cycle_counter"
#define TIMER_HZ board_counter_hz
#define PROBE_TIMER_SYMBOL() ((void)0)

static inline void timer_start(void) {}

static inline uint32_t timer_now(void) {
    return (uint32_t)counter_now();
}

/* No address is read: there is nothing to hold. */
static inline const volatile uint32_t *probe_timer(void) {
    return 0;
}

#define PROBE(timer, label)           \
    ({                                \
        uint64_t count_;              \
        (void)(timer);                \
        COUNTER_PROBE(label, count_); \
        (uint32_t) count_;            \
    })

#define POINT_START(label)                              \
    register uint64_t start_ __asm__(COUNTER_REGISTER); \
    COUNTER_START(label, start_)

#define POINT_STOP(label, timing)          \
    do {                                   \
        uint64_t stop_;                    \
        COUNTER_STOP(label, stop_);        \
        KEEP_TIMES(timing, start_, stop_); \
    } while (0)

#endif
