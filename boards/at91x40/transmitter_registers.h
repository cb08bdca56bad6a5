/* The transmitter of the AT91x40 (firmware/include/transmitter.h): USART1 (AT91X40 data sheet). */
#ifndef TRANSMITTER_REGISTERS_H
#define TRANSMITTER_REGISTERS_H

#include "aic.h"
#include "registers.h"

/* MCK / (16 x divisor): a character takes longer than the transmission task to begin. */
#define TRANSMITTER_BAUD 32000

enum { TRANSMITTER_ROOM = 1 << 1, TRANSMITTER_IDLE = 1 << 9 };

static inline uint32_t transmitter_status(void) {
    return AT91C_BASE_US1->US_CSR;
}

static inline void board_transmit(uint8_t byte) {
    AT91C_BASE_US1->US_THR = byte;
}

static inline void board_interrupt_when_room(bool on) {
    if (on)
        AT91C_BASE_US1->US_IER = TRANSMITTER_ROOM;
    else
        AT91C_BASE_US1->US_IDR = TRANSMITTER_ROOM;
}

/* The request is a level, which ends when the space is used. */
static inline void board_take_transmitter_interrupt(void) {}

static inline void board_end_transmitter_interrupt(void) {
    AT91C_BASE_AIC->AIC_EOICR = 0;
}

#endif
