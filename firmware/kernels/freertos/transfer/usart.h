/* USART 1 as the line of a transfer. */
#ifndef USART_H
#define USART_H

#include "transfer.h"
#include "usart_registers.h"

/* 115,200 baud, as near as the divisor comes. */
#define LINE_DIVISOR 18

/* Sets the line, and lets the controller pass the interrupts of its device to `entry`. */
void usart_open(void (*entry)(void));

#endif
