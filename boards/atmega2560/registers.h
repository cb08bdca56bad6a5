/* The ATmega2560 (data sheet 2549) as the firmware uses it, and the clock: the 16 MHz crystal's,
 * divided by CLKPR. */
#ifndef REGISTERS_H
#define REGISTERS_H

#define BOARD_CRYSTAL_HZ 16000000
#define BOARD_CORE_HZ (CLOCK_MHZ * 1000000)
#define BOARD_PCLK_HZ BOARD_CORE_HZ

/* Double speed: the core's clock / (8 x (UBRR + 1)). */
#define WIRE_UBRR 1
#define BOARD_WIRE_BAUD (BOARD_CORE_HZ / (8 * (WIRE_UBRR + 1)))

/* The tick of cases: near the slowest that Timer0 can have at a 1024th of the clock. At 16 MHz it
 * is exact. */
#define BOARD_TICK_HZ (BOARD_CORE_HZ / 128000)

#ifndef __ASSEMBLER__
#include <avr/io.h>

/* FreeRTOS's port takes Timer0 for its tick where it knows no interrupt of the watchdog. */
#undef WDIE

#endif

#endif
