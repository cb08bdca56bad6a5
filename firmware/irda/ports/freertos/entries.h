/* Entries of the line's interrupts, and the work of each, which returns whether to switch tasks. */
#ifndef IRDA_ENTRIES_H
#define IRDA_ENTRIES_H

#include "FreeRTOS.h"

void line_entered(void);
BaseType_t line_usart_taken(void);

void line_clock_entered(void);
BaseType_t line_clock_taken(void);

/* Of the interrupt by software that ends a frame in the ring. */
void wake_entered(void);
BaseType_t wake_requested(void);

#endif
