/* Queries of tasks, their state and name, and queries of the kernel about all of them. */
#include "freertos_case.h"

enum { DELAY_TICKS = 1000000 };

/* State: each is found in another place. */

static bool know_caller(const struct series *series) {
    caller = xTaskGetCurrentTaskHandle();
    return true;
}

static bool is_running(const struct series *series, uintptr_t state) {
    return state == eRunning;
}

static bool is_ready(const struct series *series, uintptr_t state) {
    return state == eReady;
}

static bool is_suspended(const struct series *series, uintptr_t state) {
    return state == eSuspended;
}

static bool is_blocked(const struct series *series, uintptr_t state) {
    return state == eBlocked;
}

TIMED_CASE(task_state, running, eTaskGetState, eTaskGetState(caller), LIBRARY,
           .condition = "the caller", .set_up = know_caller, .after = is_running)

TIMED_CASE(task_state, ready, eTaskGetState, eTaskGetState(partner), LIBRARY,
           .condition = "another task, ready", .bytes = partner_bytes, .set_up = start_ready,
           .after = is_ready, .tear_down = delete_partner)

static bool start_suspended(const struct series *series) {
    return start_partner(never_run, PRIORITY_WOKEN);
}

TIMED_CASE(task_state, suspended, eTaskGetState, eTaskGetState(partner), LIBRARY,
           .condition = "another task, suspended", .bytes = partner_bytes,
           .set_up = start_suspended, .after = is_suspended, .tear_down = delete_partner)

static void delay_for_ever(void *unused) {
    for (;;)
        vTaskDelay(DELAY_TICKS);
}

static bool start_delayed(const struct series *series) {
    return start_partner(delay_for_ever, PRIORITY_WOKEN);
}

TIMED_CASE(task_state, delayed, eTaskGetState, eTaskGetState(partner), LIBRARY,
           .condition = "another task, delayed", .bytes = partner_bytes, .set_up = start_delayed,
           .after = is_blocked, .tear_down = delete_partner)

TIMED_CASE(task_state, waiting, eTaskGetState, eTaskGetState(partner), LIBRARY,
           .condition = "another task, waiting for a message without a limit", .bytes = gate_bytes,
           .set_up = start_at_gate, .after = is_blocked, .tear_down = delete_at_gate)

/* Name and handles. */

static bool is_partners_name(const struct series *series, uintptr_t name) {
    return *(const char *)name == 'p';
}

TIMED_CASE(task_name, other, pcTaskGetName, pcTaskGetName(partner), LIBRARY,
           .condition = "another task", .bytes = partner_bytes, .set_up = start_ready,
           .after = is_partners_name, .tear_down = delete_partner)

TIMED_CASE(task_handle, current, xTaskGetCurrentTaskHandle, xTaskGetCurrentTaskHandle(), LIBRARY,
           .condition = "the caller's", .after = is_some)

TIMED_CASE(task_handle, idle, xTaskGetIdleTaskHandle, xTaskGetIdleTaskHandle(), LIBRARY,
           .condition = "the idle task's", .after = is_some)

/* Number of tasks, and ticks. */

enum { TASKS = 3 }; /* the harness, the idle task, the timer daemon */

static bool are_all(const struct series *series, uintptr_t tasks) {
    return tasks == TASKS;
}

TIMED_CASE(task_count, three, uxTaskGetNumberOfTasks, uxTaskGetNumberOfTasks(), LIBRARY,
           .condition = "three tasks", .after = are_all)

TIMED_CASE(tick_count, task, xTaskGetTickCount, xTaskGetTickCount(), LIBRARY,
           .condition = "from a task", .after = is_some)

TIMED_CASE(tick_count_from_isr, isr, xTaskGetTickCountFromISR, xTaskGetTickCountFromISR(), FROM_ISR,
           .condition = "from an ISR", .after = is_some)
