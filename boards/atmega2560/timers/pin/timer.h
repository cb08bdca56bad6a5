/* No timer of the part but a pin: PL0 is high while the copies execute. An analyser or a sound card
 * takes the times (Moreno and Fischmeister, section 1). It rises before and falls after them,
 * always, so that the difference between the two edges is the same in all measurements
 * (section 5.1).
 *
 * SBI and CBI do not reach port L, and handlers of interrupts may use its other pins. So a toggle
 * takes 8 cycles: 7 until the store ends (t_S1), 1 behind it (t_S2). */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#include "registers.h"

#define TIMER_NAME "pin"
#define TIMER_HZ BOARD_CORE_HZ /* that of an analyser as fast as the core */

#define ANALYSED_PIN _BV(PL0)

#define PROBE_TIMER_SYMBOL() ((void)0)

static inline void timer_start(void) {
    PORTL &= (uint8_t)~ANALYSED_PIN;
    DDRL |= ANALYSED_PIN;
}

static inline uint32_t timer_now(void) {
    return 0;
}

/* `label` is the store that toggles. */
#define TOGGLE_PIN(label)                                      \
    do {                                                       \
        uint8_t port_, pin_;                                   \
        __asm volatile("cli\n\t"                               \
                       "lds %0, %2\n\t"                        \
                       "ldi %1, %3\n\t"                        \
                       "eor %0, %1\n" label ": sts %2, %0\n\t" \
                       "sei"                                   \
                       : "=&d"(port_), "=&d"(pin_)             \
                       : "n"(&PORTL), "n"(ANALYSED_PIN)        \
                       : "memory");                            \
    } while (0)

#define POINT_START(label) TOGGLE_PIN(label ".start")

#define POINT_STOP(label, timing)             \
    do {                                      \
        TOGGLE_PIN(label ".stop");            \
        *(timing) = (struct timing){0, 0, 0}; \
    } while (0)

#endif
