/* Compiled to ARM state: the core enters interrupts in it. */
#include "FreeRTOS.h"
#include "task.h"

#include "entries.h"
#include "interrupt_entry.h"

INTERRUPT_ENTRY(line_usart_entered, line_usart_taken)

INTERRUPT_ENTRY(line_clock_entered, line_clock_taken)
