/* The scheduler as a whole: suspended, resumed, asked; critical sections. While it is suspended no
 * ticks are counted, and the harness cannot work: so it is suspended right before each call. */
#include "freertos_case.h"

static void suspend_all(const struct series *series) {
    vTaskSuspendAll();
}

static bool resume_all(const struct series *series, uintptr_t nothing) {
    xTaskResumeAll();
    return true;
}

TIMED_ACTION(scheduler_suspend, running, vTaskSuspendAll, vTaskSuspendAll(), LIBRARY,
             .condition = "running", .after = resume_all)

TIMED_CASE(scheduler_resume, nothing_pending, xTaskResumeAll, xTaskResumeAll(), LIBRARY,
           .condition = "suspended once, no task became ready meanwhile", .before = suspend_all,
           .after = is_zero)

static void suspend_all_twice(const struct series *series) {
    vTaskSuspendAll();
    vTaskSuspendAll();
}

static bool resume_again(const struct series *series, uintptr_t switched) {
    return xTaskResumeAll() == pdFALSE && switched == pdFALSE;
}

TIMED_CASE(scheduler_resume, nested, xTaskResumeAll, xTaskResumeAll(), LIBRARY,
           .condition = "suspended twice", .before = suspend_all_twice, .after = resume_again)

/* Resume, after N tasks of lower priority were given what they wait for. */

static SemaphoreHandle_t gate;

static void take_for_ever(void *unused) {
    for (;;)
        xSemaphoreTake(gate, portMAX_DELAY);
}

static uint32_t waiters_bytes(const struct series *series) {
    return QUEUE_BYTES(0, 0) + CROWD_BYTES(series->x, HELPER_STACK_WORDS);
}

static bool create_waiters(const struct series *series) {
    gate = xSemaphoreCreateCounting(MOST_IN_CROWD, 0);
    return gate != NULL && start_crowd_below(take_for_ever, series->x);
}

static void suspend_and_give(const struct series *series) {
    vTaskSuspendAll();
    for (uint32_t i = 0; i < series->x; i++)
        xSemaphoreGive(gate);
}

static bool wait_again(const struct series *series, uintptr_t switched) {
    run_crowd();
    return switched == pdFALSE && uxSemaphoreGetCount(gate) == 0;
}

static void delete_waiters(const struct series *series) {
    stop_crowd();
    vSemaphoreDelete(gate);
}

TIMED_CASE(scheduler_resume, pending_lower, xTaskResumeAll, xTaskResumeAll(), LIBRARY,
           .condition = "tasks of lower priority became ready meanwhile",
           .parameter = "pending tasks", .unit = "task", X_FROM_TO(1, MOST_IN_CROWD),
           .bytes = waiters_bytes, .set_up = create_waiters, .before = suspend_and_give,
           .after = wait_again, .tear_down = delete_waiters)

/* Resume, after a task of higher priority was: it runs before the call returns. */

RETURNS_FROM(take_above, "scheduler_resume.wakes_higher", xSemaphoreTake(gate, portMAX_DELAY))

static uint32_t waiter_bytes(const struct series *series) {
    return QUEUE_BYTES(0, 0) + PARTNER_BYTES;
}

static bool create_waiter(const struct series *series) {
    gate = xSemaphoreCreateBinary();
    return gate != NULL && start_partner(take_above, PRIORITY_WOKEN);
}

static void suspend_and_give_one(const struct series *series) {
    vTaskSuspendAll();
    xSemaphoreGive(gate);
}

static void delete_waiter(const struct series *series) {
    stop_partner();
    vSemaphoreDelete(gate);
}

TIMED_CASE(scheduler_resume, wakes_higher, xTaskResumeAll, xTaskResumeAll(), LIBRARY,
           .condition = "a task of higher priority became ready meanwhile", .flags = CASE_MOVES,
           .bytes = waiter_bytes, .set_up = create_waiter, .before = suspend_and_give_one,
           .after = is_true, .tear_down = delete_waiter)

/* State. */

static bool is_running(const struct series *series, uintptr_t state) {
    return state == taskSCHEDULER_RUNNING;
}

TIMED_CASE(scheduler_state, running, xTaskGetSchedulerState, xTaskGetSchedulerState(), LIBRARY,
           .condition = "running", .after = is_running)

/* Critical sections: all interrupts are off, and they nest. */

#if PORT_CALLS_FOR_CRITICAL
static bool leave(const struct series *series, uintptr_t nothing) {
    taskEXIT_CRITICAL();
    return true;
}

TIMED_ACTION(critical_enter, outermost, vPortEnterCritical, taskENTER_CRITICAL(), LIBRARY,
             .condition = "not in one yet", .after = leave)

static void enter(const struct series *series) {
    taskENTER_CRITICAL();
}

TIMED_ACTION(critical_exit, outermost, vPortExitCritical, taskEXIT_CRITICAL(), LIBRARY,
             .condition = "entered once", .before = enter)

static void enter_twice(const struct series *series) {
    taskENTER_CRITICAL();
    taskENTER_CRITICAL();
}

TIMED_ACTION(critical_exit, nested, vPortExitCritical, taskEXIT_CRITICAL(), LIBRARY,
             .condition = "entered twice", .before = enter_twice, .after = leave)
#else
/* A section keeps the flags on the stack: the function that entered it leaves it. */
#define INLINE static inline __attribute__((always_inline)) void

INLINE enter(void) {
    taskENTER_CRITICAL();
}

INLINE leave(void) {
    taskEXIT_CRITICAL();
}

INLINE enter_twice(void) {
    enter();
    enter();
}

INLINE leave_twice(void) {
    leave();
    leave();
}

TIMED_INLINE(critical_enter, outermost, CRITICAL_ENTERS_BY, , taskENTER_CRITICAL(), leave(), ,
             LIBRARY, .condition = "not in one yet")
TIMED_INLINE(critical_exit, outermost, CRITICAL_LEAVES_BY, enter(), taskEXIT_CRITICAL(), , leave(),
             LIBRARY, .condition = "entered once")
TIMED_INLINE(critical_exit, nested, CRITICAL_LEAVES_BY, enter_twice(), taskEXIT_CRITICAL(), leave(),
             leave_twice(), LIBRARY, .condition = "entered twice")
#endif
