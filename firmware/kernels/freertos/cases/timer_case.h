/* Shared by the cases of commands to the timer daemon (timer_case.c). */
#ifndef TIMER_CASE_H
#define TIMER_CASE_H

#include "freertos_case.h"

#include "timers.h"

enum { PERIOD_TICKS = 1000000 };

#define TIMER_BYTES BLOCK_BYTES(sizeof(StaticTimer_t))

TimerHandle_t create_dormant_timer(void);

/* Lets the daemon carry out commands before the call that gives them returns. */
void raise_daemon(void);

/* x timers that are active. The daemon must be raised. */
uint32_t active_bytes(const struct series *series);
bool start_active(const struct series *series);
void delete_active(void);

#endif
