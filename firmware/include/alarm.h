/* An interrupt at a chosen count of a timer that goes on counting. Boards that have one implement
 * this; BOARD_ALARM_COUNT and the inline functions are in their alarm_registers.h. */
#ifndef ALARM_H
#define ALARM_H

#include <stdint.h>

/* From now on `isr` is entered at each alarm; starts the timer. */
void board_attach_alarm(void (*isr)(void));

/* One alarm, when the count comes to `count`. */
static inline void board_set_alarm(uint32_t count);

/* In the ISR: no further alarm, and the interrupt is over. */
static inline void board_end_alarm(void);

#include "alarm_registers.h"

#endif
