/* A UART that the wire does not use, as the transmission task of workloads/switch drives it. Boards
 * that have one implement this; TRANSMITTER_* below are in their transmitter_registers.h, so that
 * polling costs what the registers cost. */
#ifndef TRANSMITTER_H
#define TRANSMITTER_H

#include <stdbool.h>
#include <stdint.h>

#include "transmitter_registers.h"

/* 8N1 at TRANSMITTER_BAUD; from now on `isr` is entered whenever there is space and it was
 * asked for. */
void board_start_transmitter(void (*isr)(void));

static inline bool board_transmitter_has_room(void) {
    return TRANSMITTER_STATUS & TRANSMITTER_ROOM;
}

/* The last bit has left. */
static inline bool board_transmitter_is_idle(void) {
    return TRANSMITTER_STATUS & TRANSMITTER_IDLE;
}

static inline void board_transmit(uint8_t byte) {
    TRANSMITTER_DATA = byte;
}

static inline void board_interrupt_when_room(bool on) {
    TRANSMITTER_INTERRUPTS = on ? TRANSMITTER_ROOM_INTERRUPT : 0;
}

/* Both in the ISR: takes the request back, and ends the interrupt. */
static inline void board_take_transmitter_interrupt(void) {
    (void)TRANSMITTER_CAUSE;
}
static inline void board_end_transmitter_interrupt(void) {
    INTERRUPT_ENDED = 0;
}

#endif
