/* Probes of a timer that is one register (include/probe.h): each is one load, in ARM and in Thumb.
 * The timer's own header defines TIMER_COUNT and includes this one. */
#ifndef MEMORY_TIMER_H
#define MEMORY_TIMER_H

#include <stdint.h>

#include "line_start.h"

/* Where the timer is read. The compiler cannot see through it, so it stays in one register. */
static inline const volatile uint32_t *probe_timer(void) {
    const volatile uint32_t *timer = TIMER_COUNT;
    __asm volatile("" : "+r"(timer));
    return timer;
}

#ifndef TIMER_PROBE_BITS
static inline uint32_t timer_now(void) {
    return *TIMER_COUNT;
}
#endif

#define PROBE(timer, label)                                                                     \
    ({                                                                                          \
        uint32_t count_;                                                                        \
        __asm volatile("probe." label ": ldr %0, [%1]" : "=l"(count_) : "l"(timer) : "memory"); \
        count_;                                                                                 \
    })

#ifdef TIMER_PROBE_BITS
#define PROBE_TIMER_SYMBOL()                                                                       \
    __asm volatile(".set probe.timer, %c0\n.set timer.bits, %c1\n.set timer.cycles_per_count, %c2" \
                   :                                                                               \
                   : "i"(TIMER_COUNT), "i"(TIMER_PROBE_BITS), "i"(BOARD_CORE_HZ / TIMER_HZ))
#else
#define PROBE_TIMER_SYMBOL() __asm volatile(".set probe.timer, %c0" : : "i"(TIMER_COUNT))
#endif

/* The count is loaded into a register that survives calls. */
#define POINT_START(label)                                          \
    const volatile uint32_t *const timer_ = probe_timer();          \
    register uint32_t start_ __asm__("r4");                         \
    __asm volatile(BEFORE_LINE_START label ".start: ldr %0, [%1]\n" \
                   : "=r"(start_)                                   \
                   : "l"(timer_)                                    \
                   : "memory")

#define POINT_STOP(label, timing)                                                           \
    do {                                                                                    \
        uint32_t stop_;                                                                     \
        __asm volatile(label ".stop: ldr %0, [%1]" : "=l"(stop_) : "l"(timer_) : "memory"); \
        *(timing) = (struct timing){start_, stop_, 0};                                      \
    } while (0)

#endif
