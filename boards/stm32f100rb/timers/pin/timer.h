/* No timer of the part but a pin: PA8 is high while the copies execute, and a logic analyser takes
 * the times (Moreno and Fischmeister, section 1). It rises before and falls after them, always, so
 * that the difference between the two edges is the same in all measurements (section 5.1). */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#include "line_start.h"
#include "registers.h"

#define TIMER_NAME "pin"
#define TIMER_HZ BOARD_CORE_HZ /* that of an analyser as fast as the core */

#define ANALYSED_PIN (1u << 8)

#define PROBE_TIMER_SYMBOL() ((void)0)

/* board.c makes it an output. */
static inline void timer_start(void) {
    GPIOA_BRR = ANALYSED_PIN;
}

static inline uint32_t timer_now(void) {
    return 0;
}

/* Port and pin, each in a register that survives calls: a probe is a single store. */
#define POINT_START(label)                                              \
    register volatile uint32_t *port_ __asm__("r4") = GPIOA;            \
    register uint32_t pin_ __asm__("r5") = ANALYSED_PIN;                \
    __asm volatile("" : "+r"(port_), "+r"(pin_));                       \
    __asm volatile(BEFORE_LINE_START label ".start: str %1, [%0, %2]\n" \
                   :                                                    \
                   : "r"(port_), "r"(pin_), "i"(GPIO_BSRR)              \
                   : "memory")

#define POINT_STOP(label, timing)                             \
    do {                                                      \
        __asm volatile(label ".stop: str %1, [%0, %2]"        \
                       :                                      \
                       : "r"(port_), "r"(pin_), "i"(GPIO_BRR) \
                       : "memory");                           \
        *(timing) = (struct timing){0, 0, 0};                 \
    } while (0)

#endif
