/* Interrupts of this program: sources of the VIC, and the routines that it enters. */
#ifndef INTERRUPTS_H
#define INTERRUPTS_H

#include "FreeRTOS.h"

enum { UART0_SOURCE = 6, PLAYER_SOURCE = 26 };

/* Entries save the context of the task and call the routine of the driver. */
void uart_entered(void);
void player_entered(void);
void uart_interrupt(void);
void player_interrupt(void);

/* Enters `entry` for a source. The lowest slot goes first; slot 0 is the tick's. */
void attach_interrupt(uint32_t slot, uint32_t source, void (*entry)(void));

/* Ends a routine, and switches tasks if it has woken one that goes first. */
void end_interrupt(BaseType_t woken);

#endif
