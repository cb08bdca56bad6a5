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

enum { LINE_BUFFER_OCTETS = 512 };

/* Starts line and clock. The interrupts wake `task`, a FreeRTOS task handle: when a buffer of
 * `buffer_octets`, at most LINE_BUFFER_OCTETS, is full, and after a silence of `time_out_bits`. */
void line_start(void *task, size_t buffer_octets, uint32_t time_out_bits);

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

/* Lends what came, where it came; returns how many octets. They stay there until they are returned,
 * unless the other buffer gets full, too: then line_was_damaged() reports it. */
size_t line_lend(const uint8_t **octets);

/* Takes back octets that were lent, all of them. */
void line_return(size_t count);

/* Whether a damaged or lost octet came since the last call. */
bool line_was_damaged(void);

/* Handlers of the interrupts, for the entries. Each switches to the task that it wakes. */
void line_usart_taken(void);
void line_clock_taken(void);

#endif
