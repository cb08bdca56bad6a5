/* Software timers: their calls are commands to a daemon. It has a lower priority than the harness,
 * unless the case says otherwise; then it carries out a command before the call returns. Timers
 * start here by xTimerChangePeriod(): xTimerStart() is a macro that calls
 * xTaskGetTickCount() first, and the time of that would count as overhead. */
#include "timer_case.h"

static TimerHandle_t timer;

static void never_expires(TimerHandle_t unused) {}

static uint32_t timer_bytes(const struct series *series) {
    return TIMER_BYTES;
}

static bool create_timer(const struct series *series) {
    timer = create_dormant_timer();
    return timer != NULL;
}

static void delete_one(TimerHandle_t one) {
    xTimerDelete(one, 0);
    run_timer_daemon();
}

static void delete_timer(const struct series *series) {
    delete_one(timer);
}

/* Create: as many as the series is long. */

CREATED(timer_bytes(series), delete_one(one))

TIMED_CASE(timer_create, one_more, xTimerCreate,
           xTimerCreate("timer", PERIOD_TICKS, pdFALSE, NULL, never_expires), LIBRARY,
           .condition = "after those created before it", .flags = CASE_LENGTH_IS_LOAD,
           .bytes = created_bytes, .set_up = create_none, .after = has_created,
           .tear_down = delete_created)

/* A command is posted, and waits. */

static bool carry_out(const struct series *series, uintptr_t posted) {
    run_timer_daemon();
    return posted == pdPASS;
}

TIMED_CASE(timer_change_period, posted, xTimerGenericCommandFromTask,
           xTimerChangePeriod(timer, PERIOD_TICKS, 0), LIBRARY,
           .condition = "the daemon is of lower priority", .bytes = timer_bytes,
           .set_up = create_timer, .after = carry_out, .tear_down = delete_timer)

TIMED_CASE(timer_stop_from_isr, posted, xTimerGenericCommandFromISR,
           xTimerStopFromISR(timer, &woken), FROM_ISR,
           .condition = "from an ISR; the daemon is of lower priority", .bytes = timer_bytes,
           .set_up = create_timer, .after = carry_out, .tear_down = delete_timer)

/* The daemon's queue is full. */

static bool fill_queue(const struct series *series) {
    if (!create_timer(series))
        return false;
    for (int i = 0; i < configTIMER_QUEUE_LENGTH; i++)
        if (xTimerStop(timer, 0) != pdPASS)
            return false;
    return true;
}

static void empty_queue_and_delete(const struct series *series) {
    run_timer_daemon();
    delete_timer(series);
}

TIMED_CASE(timer_stop, queue_full, xTimerGenericCommandFromTask, xTimerStop(timer, 0), LIBRARY,
           .condition = "the daemon's queue is full, no wait", .bytes = timer_bytes,
           .set_up = fill_queue, .after = is_zero, .tear_down = empty_queue_and_delete)

/* The daemon is above the caller: it carries out the command, and waits again, before the call
 * returns. N timers are active already, and expire earlier. */

static bool start_timers(const struct series *series) {
    raise_daemon();
    return start_active(series) && create_timer(series);
}

static bool stop_it(const struct series *series, uintptr_t started) {
    return started == pdPASS && xTimerStop(timer, 0) == pdPASS;
}

static void delete_timers(const struct series *series) {
    delete_active();
    delete_timer(series);
}

TIMED_CASE(timer_change_period, carried_out, xTimerGenericCommandFromTask,
           xTimerChangePeriod(timer, PERIOD_TICKS, 0), LIBRARY,
           .condition = "the daemon is of higher priority; other timers expire earlier",
           .parameter = "active timers", .unit = "timer", X_FROM_TO(1, 48), .bytes = active_bytes,
           .set_up = start_timers, .after = stop_it, .tear_down = delete_timers)

static bool start_one(const struct series *series) {
    raise_daemon();
    return create_timer(series) && xTimerStart(timer, 0) == pdPASS;
}

static bool start_again(const struct series *series, uintptr_t stopped) {
    return stopped == pdPASS && xTimerStart(timer, 0) == pdPASS;
}

TIMED_CASE(timer_stop, carried_out, xTimerGenericCommandFromTask, xTimerStop(timer, 0), LIBRARY,
           .condition = "the daemon is of higher priority; the one active timer",
           .bytes = timer_bytes, .set_up = start_one, .after = start_again,
           .tear_down = delete_timer)
