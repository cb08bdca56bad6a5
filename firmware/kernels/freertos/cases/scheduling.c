/* Scheduling: suspend, resume, yield, delay. */
#include "freertos_case.h"

/* Suspend another task, ready. */

static bool resume_it(const struct series *series, uintptr_t nothing) {
    vTaskResume(partner);
    return true;
}

TIMED_ACTION(task_suspend, ready, vTaskSuspend, vTaskSuspend(partner), LIBRARY,
             .condition = "another task, ready", .bytes = partner_bytes, .set_up = start_ready,
             .after = resume_it, .tear_down = delete_partner)

/* Suspend another task, which waits for a message. Resumed, it goes on waiting. */

TIMED_ACTION(task_suspend, blocked, vTaskSuspend, vTaskSuspend(partner), LIBRARY,
             .condition = "another task, waiting for a message", .bytes = gate_bytes,
             .set_up = start_at_gate, .after = resume_it, .tear_down = delete_at_gate)

/* Suspend the caller: the call ends in the task below, whose call resumed it last. */

RETURNS_FROM(resume_caller, "task_suspend.self", vTaskResume(caller))

static bool start_resuming(const struct series *series) {
    if (!start_partner(resume_caller, PRIORITY_LOAD))
        return false;
    vTaskSuspend(NULL);
    return true;
}

TIMED_ACTION(task_suspend, self, vTaskSuspend, vTaskSuspend(NULL), LIBRARY,
             .condition = "the caller; a task of lower priority goes on", .flags = CASE_MOVES,
             .bytes = partner_bytes, .set_up = start_resuming, .tear_down = delete_partner)

/* Resume. */

static bool suspend_it(const struct series *series, uintptr_t nothing) {
    vTaskSuspend(partner);
    return true;
}

static bool start_suspended(const struct series *series) {
    return start_ready(series) && suspend_it(series, 0);
}

TIMED_ACTION(task_resume, lower, vTaskResume, vTaskResume(partner), LIBRARY,
             .condition = "a suspended task of lower priority", .bytes = partner_bytes,
             .set_up = start_suspended, .after = suspend_it, .tear_down = delete_partner)

TIMED_ACTION(task_resume, not_suspended, vTaskResume, vTaskResume(partner), LIBRARY,
             .condition = "a task that is not suspended", .bytes = partner_bytes,
             .set_up = start_ready, .tear_down = delete_partner)

RETURNS_FROM(suspend_self, "task_resume.higher", vTaskSuspend(NULL))

static bool start_suspending(const struct series *series) {
    return start_partner(suspend_self, PRIORITY_WOKEN);
}

TIMED_ACTION(task_resume, higher, vTaskResume, vTaskResume(partner), LIBRARY,
             .condition = "a suspended task of higher priority", .flags = CASE_MOVES,
             .bytes = partner_bytes, .set_up = start_suspending, .tear_down = delete_partner)

static bool suspend_again(const struct series *series, uintptr_t switch_wanted) {
    vTaskSuspend(partner);
    return switch_wanted == pdFALSE;
}

TIMED_CASE(task_resume_from_isr, lower, xTaskResumeFromISR, xTaskResumeFromISR(partner), FROM_ISR,
           .condition = "from an ISR, a suspended task of lower priority", .bytes = partner_bytes,
           .set_up = start_suspended, .after = suspend_again, .tear_down = delete_partner)

/* Yield, with nobody else to run, and to the one other task of the same priority, which yields
 * back. It is always ready. */

TIMED_YIELD(yield, alone, LIBRARY, .condition = "no other task ready, of equal priority")

RETURNS_FROM(yield_back, "yield.equals", taskYIELD())

static bool start_yielding(const struct series *series) {
    if (!start_partner(yield_back, PRIORITY_HARNESS))
        return false;
    taskYIELD(); /* it starts, and stands in its own yield from now on */
    return true;
}

TIMED_YIELD(yield, equals, LIBRARY, .condition = "one other task ready, of equal priority",
            .flags = CASE_MOVES, .bytes = partner_bytes, .set_up = start_yielding,
            .tear_down = delete_partner)

/* Delay. */

enum { OTHERS_TICKS = 1000000, CALLERS_TICKS = 2000000 };

TIMED_ACTION(delay, zero, vTaskDelay, vTaskDelay(0), LIBRARY,
             .condition = "of no ticks, no other task ready")

/* The caller is put behind N tasks that are to wake before it. */

static void delay_for_ever(void *unused) {
    for (;;)
        vTaskDelay(OTHERS_TICKS);
}

RETURNS_FROM(end_delay, "delay.behind_delayed", xTaskAbortDelay(caller))

static uint32_t delayed_bytes(const struct series *series) {
    return CROWD_BYTES(series->x, HELPER_STACK_WORDS) + PARTNER_BYTES;
}

static bool start_delayed(const struct series *series) {
    return start_crowd(delay_for_ever, series->x, PRIORITY_WOKEN, HELPER_STACK_WORDS) &&
           start_partner_below(end_delay);
}

static void delete_delayed(const struct series *series) {
    stop_partner();
    stop_crowd();
}

TIMED_ACTION(delay, behind_delayed, vTaskDelay, vTaskDelay(CALLERS_TICKS), LIBRARY,
             .condition = "behind tasks that wake earlier; one of lower priority goes on",
             .flags = CASE_MOVES, .parameter = "delayed tasks", .unit = "task",
             X_FROM_TO(1, MOST_IN_CROWD), .bytes = delayed_bytes, .set_up = start_delayed,
             .tear_down = delete_delayed)
