/* The alarm of the LPC2148 (firmware/include/alarm.h): match 0 of TIMER1 (UM10139). Inline, so that
 * setting it costs what its registers cost. */
#ifndef ALARM_REGISTERS_H
#define ALARM_REGISTERS_H

#include "registers.h"

static inline void board_set_alarm(uint32_t count) {
    T1_MR0 = count;
    T1_MCR = 1;
}

static inline void board_end_alarm(void) {
    T1_MCR = 0;
    T1_IR = 1;
    VICVectAddr = 0;
}

#endif
