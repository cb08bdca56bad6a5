/* Delays until a given tick, delays that another task ends, and time-outs. */
#include "freertos_case.h"

enum { LONG_TICKS = 1000000 };

/* End another task's delay. */

TIMED_CASE(delay_abort, not_blocked, xTaskAbortDelay, xTaskAbortDelay(partner), LIBRARY,
           .condition = "a ready task", .bytes = partner_bytes, .set_up = start_ready,
           .after = is_zero, .tear_down = delete_partner)

static void delay_for_ever(void *unused) {
    for (;;)
        vTaskDelay(LONG_TICKS);
}

static bool start_delayed(const struct series *series) {
    return start_waiter_below(delay_for_ever);
}

TIMED_CASE(delay_abort, lower, xTaskAbortDelay, xTaskAbortDelay(partner), LIBRARY,
           .condition = "a delayed task of lower priority", .bytes = partner_bytes,
           .set_up = start_delayed, .after = block_again, .tear_down = delete_partner)

static bool start_waiting_below(const struct series *series) {
    return create_gate() && start_waiter_below(wait_at_gate);
}

TIMED_CASE(delay_abort, waiting_lower, xTaskAbortDelay, xTaskAbortDelay(partner), LIBRARY,
           .condition = "a task of lower priority that waits for a message", .bytes = gate_bytes,
           .set_up = start_waiting_below, .after = block_again, .tear_down = delete_at_gate)

RETURNS_FROM(delay_above, "delay_abort.higher", vTaskDelay(LONG_TICKS))

static bool start_above(const struct series *series) {
    return start_partner(delay_above, PRIORITY_WOKEN);
}

TIMED_CASE(delay_abort, higher, xTaskAbortDelay, xTaskAbortDelay(partner), LIBRARY,
           .condition = "a delayed task of higher priority", .flags = CASE_MOVES,
           .bytes = partner_bytes, .set_up = start_above, .after = is_true,
           .tear_down = delete_partner)

/* Delay until a tick that has passed, and until one that is to come. */

static TickType_t woken_at;

static bool forget(const struct series *series) {
    woken_at = 0;
    return true;
}

static bool has_gone_on(const struct series *series, uintptr_t delayed) {
    return forget(series) && delayed == pdFALSE;
}

TIMED_CASE(delay_until, passed, xTaskDelayUntil, xTaskDelayUntil(&woken_at, 1), LIBRARY,
           .condition = "the tick has passed, no other task ready", .set_up = forget,
           .after = has_gone_on)

RETURNS_FROM(end_delay, "delay_until.blocks", xTaskAbortDelay(caller))

static bool start_below(const struct series *series) {
    /* The first delay like the others: the kernel remembers the earliest tick to wake at. */
    return forget(series) && start_partner(end_delay, PRIORITY_LOAD) &&
           xTaskDelayUntil(&woken_at, LONG_TICKS) == pdTRUE && forget(series);
}

static bool has_delayed(const struct series *series, uintptr_t delayed) {
    return forget(series) && delayed == pdTRUE;
}

TIMED_CASE(delay_until, blocks, xTaskDelayUntil, xTaskDelayUntil(&woken_at, LONG_TICKS), LIBRARY,
           .condition = "the tick is to come; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = partner_bytes, .set_up = start_below, .after = has_delayed,
           .tear_down = delete_partner)

/* The same behind N tasks that are to wake before the caller. */

RETURNS_FROM(end_delay_behind, "delay_until.behind_delayed", xTaskAbortDelay(caller))

static uint32_t behind_bytes(const struct series *series) {
    return CROWD_BYTES(series->x, HELPER_STACK_WORDS) + PARTNER_BYTES;
}

static bool start_behind(const struct series *series) {
    return forget(series) &&
           start_crowd(delay_for_ever, series->x, PRIORITY_WOKEN, HELPER_STACK_WORDS) &&
           start_partner_below(end_delay_behind);
}

static void delete_behind(const struct series *series) {
    stop_partner();
    stop_crowd();
}

TIMED_CASE(delay_until, behind_delayed, xTaskDelayUntil, xTaskDelayUntil(&woken_at, 2 * LONG_TICKS),
           LIBRARY, .condition = "behind tasks that wake earlier; one of lower priority goes on",
           .flags = CASE_MOVES, .parameter = "delayed tasks", .unit = "task",
           X_FROM_TO(1, MOST_IN_CROWD), .bytes = behind_bytes, .set_up = start_behind,
           .after = has_delayed, .tear_down = delete_behind)

/* Time-outs, as code that waits in a loop takes them. */

static TimeOut_t since;
static TickType_t left;

TIMED_ACTION(timeout_set, now, vTaskSetTimeOutState, vTaskSetTimeOutState(&since), LIBRARY,
             .condition = "from a task")

static bool leave_much(const struct series *series) {
    left = LONG_TICKS;
    vTaskSetTimeOutState(&since);
    return true;
}

static bool is_not_over(const struct series *series, uintptr_t over) {
    return over == pdFALSE && leave_much(series);
}

TIMED_CASE(timeout_check, not_over, xTaskCheckForTimeOut, xTaskCheckForTimeOut(&since, &left),
           LIBRARY, .condition = "time is left", .set_up = leave_much, .after = is_not_over)

static bool leave_nothing(const struct series *series) {
    left = 0;
    vTaskSetTimeOutState(&since);
    return true;
}

TIMED_CASE(timeout_check, over, xTaskCheckForTimeOut, xTaskCheckForTimeOut(&since, &left), LIBRARY,
           .condition = "no time is left", .set_up = leave_nothing, .after = is_true)

static bool leave_all(const struct series *series) {
    left = portMAX_DELAY;
    vTaskSetTimeOutState(&since);
    return true;
}

TIMED_CASE(timeout_check, no_limit, xTaskCheckForTimeOut, xTaskCheckForTimeOut(&since, &left),
           LIBRARY, .condition = "without a limit", .set_up = leave_all, .after = is_zero)
