/* A UART that the wire does not use, as the transmission task of workloads/switch drives it. Boards
 * that have one implement this. Their transmitter_registers.h has TRANSMITTER_BAUD and the inline
 * functions, so that polling costs what the registers cost. It also has transmitter_status(), and
 * TRANSMITTER_ROOM and TRANSMITTER_IDLE, which are bits of that. */
#ifndef TRANSMITTER_H
#define TRANSMITTER_H

#include <stdbool.h>
#include <stdint.h>

/* 8N1 at TRANSMITTER_BAUD; from now on `isr` is entered whenever there is space and it was
 * asked for. */
void board_start_transmitter(void (*isr)(void));

static inline void board_transmit(uint8_t byte);

static inline void board_interrupt_when_room(bool on);

/* Both in the ISR: takes the request back, and ends the interrupt. */
static inline void board_take_transmitter_interrupt(void);
static inline void board_end_transmitter_interrupt(void);

#include "transmitter_registers.h"

static inline bool board_transmitter_has_room(void) {
    return transmitter_status() & TRANSMITTER_ROOM;
}

/* The last bit has left. */
static inline bool board_transmitter_is_idle(void) {
    return transmitter_status() & TRANSMITTER_IDLE;
}

#endif
