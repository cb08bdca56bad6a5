/* An interrupt at a chosen count of a timer that goes on counting. Boards that have one implement
 * this; BOARD_ALARM_COUNT is in their registers.h. */
#ifndef ALARM_H
#define ALARM_H

#include <stdint.h>

#include "registers.h"

/* From now on `isr` is entered at each alarm; starts the timer. */
void board_attach_alarm(void (*isr)(void));

/* One alarm, when the count comes to `count`. */
static inline void board_set_alarm(uint32_t count) {
    T1_MR0 = count;
    T1_MCR = 1;
}

/* In the ISR: no further alarm, and the interrupt is over. */
static inline void board_end_alarm(void) {
    T1_MCR = 0;
    T1_IR = 1;
    VICVectAddr = 0;
}

#endif
