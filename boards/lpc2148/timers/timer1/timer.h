/* TIMER1 of the LPC2148 (UM10139), free-running at PCLK. */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#include "registers.h"

#define TIMER_NAME "timer1"
#define TIMER_HZ BOARD_PCLK_HZ
#define TIMER_COUNT (&T1_TC)

#include "memory_timer.h"

static inline void timer_start(void) {
    T1_PR = 0;
    T1_TCR = 1;
}

#endif
