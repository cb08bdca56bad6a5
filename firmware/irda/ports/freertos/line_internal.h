/* The parts of the line, for its files line_*.c alone. */
#ifndef IRDA_LINE_INTERNAL_H
#define IRDA_LINE_INTERNAL_H

#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "line.h"

/* The task that waits; line_start() sets it. */
extern TaskHandle_t line_task;

/* Starts the clock, with its interrupt. */
void line_clock_start(void);

/* Sleeps until an interrupt wakes the task, or until this time, at most 200 ms from now. */
void line_clock_sleep(uint32_t at_us);

/* Sets the line, and lets the controller pass the interrupts of the USART to `entry`. */
void usart_open(void (*entry)(void));

/* The divisor of the baud rate generator that comes nearest to a speed. */
static inline uint32_t line_divisor(uint32_t bits_per_second) {
    uint32_t sixteenth = 16 * bits_per_second;
    return (BOARD_CORE_HZ + sixteenth / 2) / sixteenth;
}

/* Counts losses of a status of the USART, and ends their report. Whether there are any. */
bool usart_note_damage(uint32_t status);

/* When the octets that are being sent have left, without a guarantee. False if there are none. */
bool usart_sends(uint32_t *until_us);

/* Wakes the task from an interrupt; returns whether to switch to it. */
BaseType_t line_wake(void);

#endif
