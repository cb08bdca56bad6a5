/* The vectors of interrupts that the firmware attaches its functions to. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include "registers.h"

/* From now on `isr` is entered for this interrupt: INTERRUPT_RTC, INTERRUPT_TIM2 or
 * INTERRUPT_USART2. */
void attach_interrupt(unsigned number, void (*isr)(void));

void detach_interrupt(unsigned number);

#endif
