/* The transmitter of the LPC2148 (firmware/include/transmitter.h): UART1 (UM10139), TXD1 on P0.8.
 */
#ifndef TRANSMITTER_REGISTERS_H
#define TRANSMITTER_REGISTERS_H

#include "registers.h"

/* PCLK / (16 x divisor): exact for every clock at VPBDIV 1. */
#define TRANSMITTER_BAUD 125000

enum { TRANSMITTER_ROOM = 1 << 5, TRANSMITTER_IDLE = 1 << 6, TRANSMITTER_ROOM_INTERRUPT = 2 };

static inline uint32_t transmitter_status(void) {
    return U1LSR;
}

static inline void board_transmit(uint8_t byte) {
    U1THR = byte;
}

static inline void board_interrupt_when_room(bool on) {
    U1IER = on ? TRANSMITTER_ROOM_INTERRUPT : 0;
}

static inline void board_take_transmitter_interrupt(void) {
    (void)U1IIR;
}

static inline void board_end_transmitter_interrupt(void) {
    VICVectAddr = 0;
}

#endif
