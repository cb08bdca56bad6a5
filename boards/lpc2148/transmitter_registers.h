/* The transmitter of the LPC2148 (firmware/include/transmitter.h): UART1 (UM10139), TXD1 on P0.8.
 */
#ifndef TRANSMITTER_REGISTERS_H
#define TRANSMITTER_REGISTERS_H

#include "registers.h"

/* PCLK / (16 x divisor): exact for every clock at VPBDIV 1. */
#define TRANSMITTER_BAUD 125000
#define TRANSMITTER_DATA U1THR
#define TRANSMITTER_STATUS U1LSR
#define TRANSMITTER_INTERRUPTS U1IER
#define TRANSMITTER_CAUSE U1IIR
#define INTERRUPT_ENDED VICVectAddr

enum { TRANSMITTER_ROOM = 1 << 5, TRANSMITTER_IDLE = 1 << 6, TRANSMITTER_ROOM_INTERRUPT = 2 };

#endif
