/* The alarm of the STM32F100 (firmware/include/alarm.h): CCR2 of TIM2 (RM0041). Inline, so that
 * setting it costs what its registers cost. */
#ifndef ALARM_REGISTERS_H
#define ALARM_REGISTERS_H

#include "event_timer.h"

/* An earlier match, of another alarm, is forgotten. */
static inline void board_set_alarm(uint32_t count) {
    TIM2_CCR2 = count;
    TIM2_SR = ~(uint32_t)CHANNEL_2;
    TIM2_DIER = CHANNEL_2;
}

static inline void board_end_alarm(void) {
    TIM2_DIER = 0;
    TIM2_SR = ~(uint32_t)CHANNEL_2;
}

#endif
