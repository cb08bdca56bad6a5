/* Probes of a 16-bit timer in data memory (include/probe.h): the load of its low byte, by which the
 * count is taken, then that of its high byte. The timer's own header defines TIMER_COUNT and
 * includes this one. */
#ifndef REGISTER_TIMER_H
#define REGISTER_TIMER_H

#include <stdint.h>

/* The timer has an address of its own in each probe: there is nothing to hold. */
static inline const volatile uint32_t *probe_timer(void) {
    return 0;
}

#define PROBE(timer, label)                               \
    ({                                                    \
        uint16_t count_;                                  \
        (void)(timer);                                    \
        __asm volatile("probe." label ": lds %A0, %1\n\t" \
                       "lds %B0, %1 + 1"                  \
                       : "=r"(count_)                     \
                       : "n"(&TIMER_COUNT)                \
                       : "memory");                       \
        (uint32_t) count_;                                \
    })

/* The result first. Where it has to survive calls the compiler moves it to another register, and
 * does so between the timed call's return and the probe. */
#define KEEP_TIMING(timing, start_, stop_, result_) \
    do {                                            \
        (timing)->result = result_;                 \
        (timing)->start = whole_start(start_);      \
        (timing)->stop = whole_stop(stop_);         \
    } while (0)

/* The lab sees the low byte read: 8 bits, in the data's address space. */
#define PROBE_TIMER_SYMBOL()                                               \
    __asm volatile(".set probe.timer, %0 + 0x800000\n.set timer.bits, 8\n" \
                   ".set timer.cycles_per_count, %1"                       \
                   :                                                       \
                   : "n"(&TIMER_COUNT), "n"(BOARD_CORE_HZ / TIMER_HZ))

/* The count is loaded into registers that survive calls, and are not for arguments. */
#define POINT_START(label)                                        \
    register uint16_t start_ __asm__("r4");                       \
    __asm volatile(label ".start: lds %A0, %1\n\tlds %B0, %1 + 1" \
                   : "=r"(start_)                                 \
                   : "n"(&TIMER_COUNT)                            \
                   : "memory")

#define POINT_STOP(label, timing)                                    \
    do {                                                             \
        uint16_t stop_;                                              \
        __asm volatile(label ".stop: lds %A0, %1\n\tlds %B0, %1 + 1" \
                       : "=r"(stop_)                                 \
                       : "n"(&TIMER_COUNT)                           \
                       : "memory");                                  \
        *(timing) = (struct timing){start_, stop_, 0};               \
    } while (0)

#endif
