/* The line from outside: PA0, of which TIM2 notes its count in CCR1, and interrupts (RM0041). */
#include "line.h"

#include "event_timer.h"

void board_attach_line(void (*isr)(void)) {
    start_event_timer();
    TIM2_SR = 0;
    attach_interrupt(INTERRUPT_TIM2, isr);
    TIM2_DIER = CHANNEL_1;
}

void board_detach_line(void) {
    TIM2_DIER = 0;
    detach_interrupt(INTERRUPT_TIM2);
    TIM2_SR = 0;
}

uint32_t board_line_rose(void) {
    return TIM2_CCR1;
}

/* A read of CCR1 has cleared the request; one that nobody read stays until here. */
void board_end_line_interrupt(void) {
    TIM2_SR = ~(uint32_t)CHANNEL_1;
}
