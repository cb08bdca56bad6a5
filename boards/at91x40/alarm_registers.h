/* The alarm of the AT91x40 (firmware/include/alarm.h): RC of timer channel 1 (AT91X40 data sheet).
 * Inline, so that setting it costs what its registers cost. */
#ifndef ALARM_REGISTERS_H
#define ALARM_REGISTERS_H

#include "event_timer.h"

/* An earlier match, of another alarm, is forgotten. */
static inline void board_set_alarm(uint32_t count) {
    AT91C_BASE_TC1->TC_RC = count;
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_TC1->TC_IER = TC_CPCS;
}

static inline void board_end_alarm(void) {
    AT91C_BASE_TC1->TC_IDR = TC_CPCS;
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_AIC->AIC_EOICR = 0;
}

#endif
