/* A line from outside that interrupts, and the count of the timer that notes when it rose. Boards
 * that have such a line implement this; BOARD_LINE_COUNT and BOARD_LINE_HZ are in their
 * registers.h. */
#ifndef LINE_H
#define LINE_H

#include <stdint.h>

#include "registers.h"

/* From now on each rise enters `isr`. */
void board_attach_line(void (*isr)(void));
void board_detach_line(void);

/* The count at the last rise. */
uint32_t board_line_rose(void);

/* Ends the interrupt in its ISR. */
void board_end_line_interrupt(void);

#endif
