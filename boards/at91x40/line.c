/* The line from outside: TIOA1, which makes timer channel 1 note its count in RA and interrupt
 * (AT91X40 data sheet). */
#include "line.h"

#include "event_timer.h"

void board_attach_line(void (*isr)(void)) {
    start_event_timer();
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_AIC->AIC_SVR[AT91C_ID_TC1] = (uint32_t)isr;
    AT91C_BASE_AIC->AIC_SMR[AT91C_ID_TC1] = AIC_SRCTYPE_INT_LEVEL_SENSITIVE;
    AT91C_BASE_TC1->TC_IER = TC_LDRAS;
    AT91C_BASE_AIC->AIC_IECR = 1 << AT91C_ID_TC1;
}

void board_detach_line(void) {
    AT91C_BASE_AIC->AIC_IDCR = 1 << AT91C_ID_TC1;
    AT91C_BASE_TC1->TC_IDR = TC_LDRAS;
    (void)AT91C_BASE_TC1->TC_SR;
}

uint32_t board_line_rose(void) {
    return AT91C_BASE_TC1->TC_RA;
}

void board_end_line_interrupt(void) {
    (void)AT91C_BASE_TC1->TC_SR;
    AT91C_BASE_AIC->AIC_EOICR = 0;
}
