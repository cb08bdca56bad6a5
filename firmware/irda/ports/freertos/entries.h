/* Entries of the line's interrupts: contexts saved and restored around the handlers of line.c. */
#ifndef IRDA_ENTRIES_H
#define IRDA_ENTRIES_H

void line_usart_entered(void);
void line_clock_entered(void);

#endif
