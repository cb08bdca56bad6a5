/* The transmitter of the STM32F100 (firmware/include/transmitter.h): USART2 (RM0041). */
#ifndef TRANSMITTER_REGISTERS_H
#define TRANSMITTER_REGISTERS_H

#include "registers.h"

#define TRANSMITTER_BAUD 125000

enum { TRANSMITTER_ROOM = 1 << 7, TRANSMITTER_IDLE = 1 << 6, TRANSMITTER_ROOM_INTERRUPT = 1 << 7 };

static inline uint32_t transmitter_status(void) {
    return USART2_SR;
}

static inline void board_transmit(uint8_t byte) {
    USART2_DR = byte;
}

static inline void board_interrupt_when_room(bool on) {
    if (on)
        USART2_CR1 |= TRANSMITTER_ROOM_INTERRUPT;
    else
        USART2_CR1 &= ~(uint32_t)TRANSMITTER_ROOM_INTERRUPT;
}

/* The request is a level, which ends when the space is used. */
static inline void board_take_transmitter_interrupt(void) {}

static inline void board_end_transmitter_interrupt(void) {}

#endif
