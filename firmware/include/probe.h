/* Probes: one instruction each, reading the timer of timer.h, with a symbol at its address.
 *
 * The symbols let the lab find in the ELF what was timed (docs/cases.md):
 *     probe.<case>.<real|empty>.start    the load that starts a sample
 *     probe.<case>.<real|empty>.stop     the load that ends it, at the return address of the call
 *     probe.<case>.real.moved            the same, where the call returns in another task
 *     probe.timer                        the address that all of them read
 */
#ifndef PROBE_H
#define PROBE_H

#include <stdint.h>

#include "timer.h"

/* Where the timer is read. The compiler cannot see through it, so it stays in one register and a
 * probe is a single load in ARM and in Thumb. */
static inline const volatile uint32_t *probe_timer(void) {
    const volatile uint32_t *timer = TIMER_COUNT;
    __asm volatile("" : "+r"(timer));
    return timer;
}

/* Reads the timer; `timer` is what probe_timer() gave, `label` names the instruction. No access to
 * memory moves across it. */
#define PROBE(timer, label)                                                                     \
    ({                                                                                          \
        uint32_t count_;                                                                        \
        __asm volatile("probe." label ": ldr %0, [%1]" : "=l"(count_) : "l"(timer) : "memory"); \
        count_;                                                                                 \
    })

/* Defines probe.timer. */
#define PROBE_TIMER_SYMBOL() __asm volatile(".set probe.timer, %c0" : : "i"(TIMER_COUNT))

#endif
