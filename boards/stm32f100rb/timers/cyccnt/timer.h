/* CYCCNT of the core's debug unit (ARM DDI 0403, DWT): 32 bits at the core's clock. */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#include "registers.h"

#define TIMER_NAME "cyccnt"
#define TIMER_HZ BOARD_CORE_HZ
#define TIMER_COUNT DWT_CYCCNT

#include "memory_timer.h"

static inline void timer_start(void) {
    DEMCR |= DEMCR_TRCENA;
    DWT_CTRL |= DWT_CTRL_CYCCNTENA;
}

#endif
