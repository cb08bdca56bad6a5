/* Timers that are active beside the one that a case is about. */
#include "cases/timer_case.h"

static TimerHandle_t *active;
static uint32_t active_count;

static void never_expires(TimerHandle_t unused) {}

TimerHandle_t create_dormant_timer(void) {
    return xTimerCreate("timer", PERIOD_TICKS, pdFALSE, NULL, never_expires);
}

void raise_daemon(void) {
    vTaskPrioritySet(xTimerGetTimerDaemonTaskHandle(), PRIORITY_WOKEN);
}

uint32_t active_bytes(const struct series *series) {
    return BLOCK_BYTES(series->x * sizeof *active) + (series->x + 1) * TIMER_BYTES;
}

bool start_active(const struct series *series) {
    active_count = 0;
    active = pvPortMalloc(series->x * sizeof *active);
    while (active != NULL && active_count < series->x &&
           (active[active_count] = create_dormant_timer()) != NULL)
        xTimerStart(active[active_count++], 0);
    return active_count == series->x;
}

void delete_active(void) {
    for (uint32_t i = 0; i < active_count; i++)
        xTimerDelete(active[i], 0);
    vPortFree(active);
}
