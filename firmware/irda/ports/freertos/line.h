/* The infrared line of the AT91x40: USART1 with its two channels of the peripheral data controller,
 * and channel 1 of the timer counter for microseconds (AT91X40 data sheet). */
#ifndef IRDA_LINE_H
#define IRDA_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Losses at the receiver since the start, at the symbol of this name. */
struct line_losses {
    uint32_t overruns;
    uint32_t framing_errors;
};
extern volatile struct line_losses line_losses;

/* Starts line and clock. The interrupts wake `task`, a FreeRTOS task handle. */
void line_start(void *task);

/* Microseconds since the start; wraps after 2^32. To be called at least each 200 ms. */
uint32_t line_now_us(void);

/* Wakes the task at this time, at most 200 ms from now. */
void line_wake_at(uint32_t at_us);

/* Sends and receives at this speed from now. */
void line_set_speed(uint32_t bits_per_second);

/* Sends octets, which stay the caller's until line_is_idle(). */
void line_send(const uint8_t *octets, size_t count);

/* The last octet has left the line. */
bool line_is_idle(void);

/* Takes what came, at most `capacity` octets; returns how many. */
size_t line_receive(uint8_t *octets, size_t capacity);

/* Whether a damaged or lost octet came since the last call. */
bool line_was_damaged(void);

/* Handlers of the interrupts, for the entries. Each switches to the task that it wakes. */
void line_usart_taken(void);
void line_clock_taken(void);

#endif
