/* Software timers and functions, handed to a daemon that is above the caller. It carries out the
 * command, and waits again, before the call returns. xTimerStart() is a macro that calls
 * xTaskGetTickCount() for an argument, which would count as overhead. So its command is given as
 * the macro gives it, with a time that was asked for before. */
#include "timer_case.h"

static TimerHandle_t timer;
static TickType_t now;

static uint32_t timer_bytes(const struct series *series) {
    return TIMER_BYTES;
}

static bool create(void) {
    now = xTaskGetTickCount();
    timer = create_dormant_timer();
    return timer != NULL;
}

static bool create_dormant(const struct series *series) {
    raise_daemon();
    return create();
}

static bool create_active(const struct series *series) {
    return create_dormant(series) && xTimerStart(timer, 0) == pdPASS;
}

static void delete_timer(const struct series *series) {
    if (timer != NULL)
        xTimerDelete(timer, 0);
    run_timer_daemon();
}

/* Start, dormant or active already. */

static bool stop_it(const struct series *series, uintptr_t started) {
    return started == pdPASS && xTimerStop(timer, 0) == pdPASS;
}

/* The first start like the others: the kernel remembers the earliest tick to wake at. */
static bool create_stopped(const struct series *series) {
    return create_active(series) && stop_it(series, pdPASS);
}

TIMED_CASE(timer_start, carried_out, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_START, now, NULL, 0), LIBRARY,
           .condition = "xTimerStart; the daemon is of higher priority; no timer is active",
           .bytes = timer_bytes, .set_up = create_stopped, .after = stop_it,
           .tear_down = delete_timer)

TIMED_CASE(timer_reset, carried_out, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_RESET, now, NULL, 0), LIBRARY,
           .condition = "xTimerReset; the daemon is of higher priority; the one active timer",
           .bytes = timer_bytes, .set_up = create_active, .after = is_true,
           .tear_down = delete_timer)

/* Start with a time that has passed long ago: it expires at once, and its function is called. */

static bool has_expired(const struct series *series, uintptr_t posted) {
    return posted == pdPASS && xTimerIsTimerActive(timer) == pdFALSE;
}

TIMED_CASE(timer_start, expires, xTimerGenericCommandFromTask,
           xTimerGenericCommandFromTask(timer, tmrCOMMAND_START, now - PERIOD_TICKS, NULL, 0),
           LIBRARY,
           .condition = "the daemon is of higher priority; the period has passed since the start",
           .bytes = timer_bytes, .set_up = create_dormant, .after = has_expired,
           .tear_down = delete_timer)

/* Delete: the daemon frees the timer. */

static bool create_again(const struct series *series, uintptr_t deleted) {
    return deleted == pdPASS && create();
}

TIMED_CASE(timer_delete, carried_out, xTimerGenericCommandFromTask, xTimerDelete(timer, 0), LIBRARY,
           .condition = "the daemon is of higher priority; dormant", .bytes = timer_bytes,
           .set_up = create_dormant, .after = create_again, .tear_down = delete_timer)

/* A function of one's own. */

static void do_nothing(void *unused, uint32_t nothing) {}

static bool carry_out(const struct series *series, uintptr_t posted) {
    run_timer_daemon();
    return posted == pdPASS;
}

TIMED_CASE(timer_pend_call, posted, xTimerPendFunctionCall,
           xTimerPendFunctionCall(do_nothing, NULL, 0, 0), LIBRARY,
           .condition = "the daemon is of lower priority", .after = carry_out)

static bool start_above(const struct series *series) {
    raise_daemon();
    return true;
}

static void lower_daemon(const struct series *series) {
    run_timer_daemon();
}

TIMED_CASE(timer_pend_call, carried_out, xTimerPendFunctionCall,
           xTimerPendFunctionCall(do_nothing, NULL, 0, 0), LIBRARY,
           .condition = "the daemon is of higher priority; a function that returns at once",
           .set_up = start_above, .after = is_true, .tear_down = lower_daemon)
