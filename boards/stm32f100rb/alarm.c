/* The alarm of the STM32F100: channel 2 of TIM2, which runs at the core's clock and never stops
 * (RM0041). */
#include "alarm.h"

void board_attach_alarm(void (*isr)(void)) {
    TIM2_DIER = 0;
    start_event_timer();
    TIM2_SR = 0;
    attach_interrupt(INTERRUPT_TIM2, isr);
}
