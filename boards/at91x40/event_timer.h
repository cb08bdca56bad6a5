/* Channel 1 of the timer counter, which alarm and line share (AT91X40 data sheet). In capture mode
 * RC still compares. A rise of TIOA1 loads RA, and the fall behind it RB: without a load of RB the
 * next rise would not load RA. */
#ifndef EVENT_TIMER_H
#define EVENT_TIMER_H

#include "aic.h"
#include "registers.h"
#include "tc.h"

static inline void start_event_timer(void) {
    AT91C_BASE_TC1->TC_CMR = TC_CLKS_MCK2 | TC_LDRA_RISING | TC_LDRB_FALLING;
    AT91C_BASE_TC1->TC_CCR = TC_CLKEN | TC_SWTRG;
}

#endif
