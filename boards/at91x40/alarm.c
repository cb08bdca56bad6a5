/* The alarm of the AT91x40: channel 1 of the timer counter, which runs at MCK / 2 and never stops
 * (AT91X40 data sheet). */
#include "alarm.h"

void board_attach_alarm(void (*isr)(void)) {
    AT91C_BASE_TC1->TC_IDR = ~0u;
    start_event_timer();
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_AIC->AIC_SVR[AT91C_ID_TC1] = (uint32_t)isr;
    AT91C_BASE_AIC->AIC_SMR[AT91C_ID_TC1] = AIC_SRCTYPE_INT_LEVEL_SENSITIVE;
    AT91C_BASE_AIC->AIC_IECR = 1 << AT91C_ID_TC1;
}
