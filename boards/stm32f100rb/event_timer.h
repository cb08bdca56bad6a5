/* TIM2, which alarm and line share (RM0041): 16 bits at the core's clock. Channel 1 captures rises
 * of PA0, channel 2 compares. */
#ifndef EVENT_TIMER_H
#define EVENT_TIMER_H

#include "interrupts.h"
#include "registers.h"

enum { CHANNEL_1 = 1 << 1, CHANNEL_2 = 1 << 2 };

static inline void start_event_timer(void) {
    TIM2_CCMR1 = 1; /* channel 1 is an input, of its own pin */
    TIM2_CCER = 1;
    TIM2_CR1 = 1;
}

#endif
