/* The infrared line of the AT91x40: USART 1, and channel 1 of the timer counter for microseconds
 * (AT91X40 data sheet). The build chooses the receiver, of which each has a file line_*.c. */
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

/* Starts line and clock. `task`, a FreeRTOS task handle, is the one that waits. By the PDC, a block
 * of received octets ends when `buffer_octets`, at most LINE_BUFFER_OCTETS, are full, and after a
 * silence of `time_out_bits`. */
void line_start(void *task, size_t buffer_octets, uint32_t time_out_bits);

/* Microseconds since the start; wraps after 2^32. To be called at least each 200 ms. */
uint32_t line_now_us(void);

/* Waits until octets came, or have left, or for this time, at most 200 ms from now. May return
 * sooner. */
void line_wait(uint32_t at_us);

/* Sends and receives at this speed from now. */
void line_set_speed(uint32_t bits_per_second);

/* The last octet has left the line. */
bool line_is_idle(void);

/* ---- of a line that carries octets */

/* Sends octets, which stay the caller's until line_is_idle(). */
void line_send(const uint8_t *octets, size_t count);

/* Lends what came, where it came; returns how many octets. They stay there until they are
 * returned. */
size_t line_lend(const uint8_t **octets);

/* Takes back octets that were lent, all of them. */
void line_return(size_t count);

/* Whether a damaged or lost octet came since the last call. */
bool line_was_damaged(void);

/* ---- of a line that carries frames: address, control, information */

/* Sends a frame behind so many extra flags. It stays the caller's until line_is_idle(). */
void line_send_frame(const uint8_t *octets, size_t count, uint16_t extra_flags);

/* Lends the oldest frame that came; returns how many octets it has, 0: there is none. */
size_t line_lend_frame(const uint8_t **octets);

/* Takes back the frame that was lent. */
void line_return_frame(void);

/* Whether any octet came since the last call, other than the own echo. */
bool line_has_heard(void);

#endif
