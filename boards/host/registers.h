/* The host has no registers for the firmware; its clock is known when the program runs. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

/* Counts per second of the core's own counter, measured by board_start(). */
extern uint32_t board_counter_hz;

#define BOARD_CORE_HZ board_counter_hz

#endif
