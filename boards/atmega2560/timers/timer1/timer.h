/* Timer1 of the ATmega2560 at the core's clock: probes read its 16 bits, the low byte first, which
 * latches the high one. Timer3 at a 1024th of the clock begins with it and has the bits above. */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#include "registers.h"

#define TIMER_NAME "timer1"
#define TIMER_HZ BOARD_CORE_HZ
#define TIMER_COUNT TCNT1
#define TIMER_PROBE_BITS 16

void timer_start(void);

/* Every call must come within 2^26 cycles of the one before, or of the start. */
uint32_t timer_now(void);

#include "register_timer.h"

#endif
