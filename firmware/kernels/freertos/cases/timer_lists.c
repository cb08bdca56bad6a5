/* Commands that the timer daemon carries out before the call returns. They walk two lists: the
 * active timers, in the order in which they expire, and the delayed tasks, in the order in which
 * they wake. The second is walked when the daemon waits for the first timer to expire. */
#include "timer_case.h"

static TimerHandle_t timer;
static TickType_t now;

static void delete_timer(const struct series *series) {
    if (timer != NULL)
        xTimerDelete(timer, 0);
    run_timer_daemon();
}

static bool create_and_start(const struct series *series) {
    now = xTaskGetTickCount();
    timer = create_dormant_timer();
    return timer != NULL && xTimerStart(timer, 0) == pdPASS;
}

static bool stop_it(const struct series *series, uintptr_t started) {
    return started == pdPASS && xTimerStop(timer, 0) == pdPASS;
}

/* N timers are active already, and expire earlier. */

static bool start_behind_active(const struct series *series) {
    timer = NULL;
    raise_daemon();
    return start_active(series) && create_and_start(series);
}

static bool stop_behind_active(const struct series *series) {
    return start_behind_active(series) && stop_it(series, pdPASS);
}

static void delete_active_too(const struct series *series) {
    delete_active();
    delete_timer(series);
}

#define BEHIND_ACTIVE(what)                                                             \
    LIBRARY, .condition = what "; others expire earlier", .parameter = "active timers", \
             .unit = "timer", X_FROM_TO(1, 48), .bytes = active_bytes,                  \
             .tear_down = delete_active_too

TIMED_CASE(timer_start, behind_active, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_START, now, NULL, 0),
           BEHIND_ACTIVE("xTimerStart"), .set_up = stop_behind_active, .after = stop_it)

TIMED_CASE(timer_reset, behind_active, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_RESET, now, NULL, 0),
           BEHIND_ACTIVE("xTimerReset"), .set_up = start_behind_active, .after = is_true)

/* No other timer is active, and N tasks wake before this one expires. */

static void delay_shorter(void *unused) {
    for (;;)
        vTaskDelay(PERIOD_TICKS / 2);
}

static uint32_t delayed_bytes(const struct series *series) {
    return CROWD_BYTES(series->x, HELPER_STACK_WORDS) + TIMER_BYTES;
}

static bool start_behind_delayed(const struct series *series) {
    timer = NULL;
    raise_daemon();
    return start_crowd(delay_shorter, series->x, PRIORITY_WOKEN, HELPER_STACK_WORDS) &&
           create_and_start(series);
}

static bool stop_behind_delayed(const struct series *series) {
    return start_behind_delayed(series) && stop_it(series, pdPASS);
}

static void delete_delayed_too(const struct series *series) {
    delete_timer(series);
    stop_crowd();
}

#define BEHIND_DELAYED(what)                                                           \
    LIBRARY, .condition = what "; tasks wake before it", .parameter = "delayed tasks", \
             .unit = "task", X_FROM_TO(1, MOST_IN_CROWD), .bytes = delayed_bytes,      \
             .tear_down = delete_delayed_too

TIMED_CASE(timer_start, behind_delayed, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_START, now, NULL, 0),
           BEHIND_DELAYED("xTimerStart"), .set_up = stop_behind_delayed, .after = stop_it)

TIMED_CASE(timer_reset, behind_delayed, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_RESET, now, NULL, 0),
           BEHIND_DELAYED("xTimerReset"), .set_up = start_behind_delayed, .after = is_true)

TIMED_CASE(timer_change_period, behind_delayed, xTimerGenericCommandFromTask,
           xTimerChangePeriod(timer, PERIOD_TICKS, 0), BEHIND_DELAYED("dormant"),
           .set_up = stop_behind_delayed, .after = stop_it)
