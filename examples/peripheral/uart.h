/* Driver of UART0 at 115,200 baud, by interrupts. One task uses it. */
#ifndef UART_H
#define UART_H

#include <stddef.h>
#include <stdint.h>

void uart_start(void);

/* Waits for a byte; returns how many bytes it has put into `bytes`, at most `space`. */
size_t uart_read(uint8_t *bytes, size_t space);

/* Sends bytes, and returns when the last one is on its way. */
void uart_write(const uint8_t *bytes, size_t count);

/* Bytes that came while the buffer was full. */
uint32_t uart_lost(void);

#endif
