/* Event groups. */
#include "event_case.h"

static bool clear_it(const struct series *series, uintptr_t bits) {
    return clear_bit();
}

static bool set_it(const struct series *series, uintptr_t bits) {
    return set_bit();
}

/* Create: as many as the series is long. */

CREATED(group_bytes(series), vEventGroupDelete(one))

TIMED_CASE(event_group_create, one_more, xEventGroupCreate, xEventGroupCreate(), LIBRARY,
           .condition = "after those created before it", .flags = CASE_LENGTH_IS_LOAD,
           .bytes = created_bytes, .set_up = create_none, .after = has_created,
           .tear_down = delete_created)

/* Set and clear, with nobody waiting. */

TIMED_CASE(event_set, nobody_waits, xEventGroupSetBits, xEventGroupSetBits(events, BIT), LIBRARY,
           .condition = "nobody waits", .bytes = group_bytes, .set_up = create_group,
           .after = clear_it, .tear_down = delete_group)

TIMED_CASE(event_clear, set, xEventGroupClearBits, xEventGroupClearBits(events, BIT), LIBRARY,
           .condition = "the bit is set", .bytes = group_bytes, .set_up = create_set,
           .after = set_it, .tear_down = delete_group)

/* Set, with N tasks of lower priority waiting for the bit. */

static void wait_for_bit(void *unused) {
    for (;;)
        xEventGroupWaitBits(events, BIT, pdFALSE, pdTRUE, portMAX_DELAY);
}

static bool create_waiters(const struct series *series) {
    return create_group(series) && start_crowd_below(wait_for_bit, series->x);
}

static bool wait_again(const struct series *series, uintptr_t bits) {
    bool done = clear_bit();
    run_crowd();
    return done;
}

TIMED_CASE(event_set, wakes_waiters, xEventGroupSetBits, xEventGroupSetBits(events, BIT), LIBRARY,
           .condition = "tasks of lower priority wait for the bit", .parameter = "waiting tasks",
           .unit = "task", X_FROM_TO(1, MOST_IN_CROWD), .bytes = group_and_crowd_bytes,
           .set_up = create_waiters, .after = wait_again, .tear_down = delete_group_and_crowd)

/* Set from an ISR: it becomes a command to the timer daemon. */

static bool let_daemon_set(const struct series *series, uintptr_t passed) {
    run_timer_daemon();
    return passed == pdPASS && clear_bit();
}

#define POSTED                                                                                    \
    FROM_ISR, .condition = "from an ISR: posted to the timer daemon, which is of lower priority", \
              .bytes = group_bytes, .set_up = create_group, .after = let_daemon_set,              \
              .tear_down = delete_group

#if configUSE_TRACE_FACILITY /* a function, else a macro */
TIMED_CASE(event_set_from_isr, posted, xEventGroupSetBitsFromISR,
           xEventGroupSetBitsFromISR(events, BIT, &woken), POSTED)
#else
TIMED_CASE(event_set_from_isr, posted, xTimerPendFunctionCallFromISR,
           xEventGroupSetBitsFromISR(events, BIT, &woken), POSTED)
#endif

/* Wait for what is set, and for what is not. */

TIMED_CASE(event_wait, set, xEventGroupWaitBits,
           xEventGroupWaitBits(events, BIT, pdFALSE, pdTRUE, 0), LIBRARY,
           .condition = "the bit is set", .bytes = group_bytes, .set_up = create_set,
           .after = has_bit, .tear_down = delete_group)

static bool has_not_bit(const struct series *series, uintptr_t bits) {
    return (bits & OTHER_BIT) == 0;
}

TIMED_CASE(event_wait, clear_no_wait, xEventGroupWaitBits,
           xEventGroupWaitBits(events, OTHER_BIT, pdFALSE, pdTRUE, 0), LIBRARY,
           .condition = "the bit is not set, no wait", .bytes = group_bytes, .set_up = create_group,
           .after = has_not_bit, .tear_down = delete_group)

RETURNS_FROM(end_wait, "event_wait.blocks", xTaskAbortDelay(caller))

static bool create_and_start_below(const struct series *series) {
    return create_group(series) && start_partner_below(end_wait);
}

/* xTaskAbortDelay() leaves a mark on a task that waits for an event. Only
 * xTaskCheckForTimeOut(), which an event group never calls, takes it away. So without this the
 * next wait at a queue would end at once. */
static void forget_abort(void) {
    TimeOut_t since;
    TickType_t ticks = 1;
    vTaskSetTimeOutState(&since);
    xTaskCheckForTimeOut(&since, &ticks);
}

static void forget_abort_and_delete(const struct series *series) {
    forget_abort();
    delete_group_and_partner(series);
}

TIMED_CASE(event_wait, blocks, xEventGroupWaitBits,
           xEventGroupWaitBits(events, OTHER_BIT, pdFALSE, pdTRUE, portMAX_DELAY), LIBRARY,
           .condition = "the bit is not set: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = group_and_partner_bytes, .set_up = create_and_start_below,
           .after = has_not_bit, .tear_down = forget_abort_and_delete)
