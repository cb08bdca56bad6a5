/* Semaphores, binary and counting. */
#include "freertos_case.h"

static SemaphoreHandle_t semaphore;

static uint32_t semaphore_bytes(const struct series *series) {
    return QUEUE_BYTES(0, 0);
}

static bool create_empty(const struct series *series) {
    semaphore = xSemaphoreCreateBinary();
    return semaphore != NULL;
}

static bool create_full(const struct series *series) {
    return create_empty(series) && xSemaphoreGive(semaphore) == pdTRUE;
}

static void delete_semaphore(const struct series *series) {
    if (semaphore != NULL)
        vSemaphoreDelete(semaphore);
}

/* Create: as many as the series is long. */

CREATED(semaphore_bytes(series), vSemaphoreDelete(one))

TIMED_CASE(semaphore_create, binary, xQueueGenericCreate, xSemaphoreCreateBinary(), LIBRARY,
           .condition = "binary, after those created before it", .flags = CASE_LENGTH_IS_LOAD,
           .bytes = created_bytes, .set_up = create_none, .after = has_created,
           .tear_down = delete_created)

TIMED_CASE(semaphore_create, counting, xQueueCreateCountingSemaphore,
           xSemaphoreCreateCounting(10, 5), LIBRARY,
           .condition = "counting, after those created before it", .flags = CASE_LENGTH_IS_LOAD,
           .bytes = created_bytes, .set_up = create_none, .after = has_created,
           .tear_down = delete_created)

/* Take, of a semaphore that is there to be taken. */

static bool give_back(const struct series *series, uintptr_t taken) {
    return taken == pdTRUE && xSemaphoreGive(semaphore) == pdTRUE;
}

TIMED_CASE(semaphore_take, binary_full, xQueueSemaphoreTake, xSemaphoreTake(semaphore, 0), LIBRARY,
           .condition = "binary, full", .bytes = semaphore_bytes, .set_up = create_full,
           .after = give_back, .tear_down = delete_semaphore)

/* Take what is not there: without waiting, and waiting, so that the call ends in the task below. */

TIMED_CASE(semaphore_take, empty_no_wait, xQueueSemaphoreTake, xSemaphoreTake(semaphore, 0),
           LIBRARY, .condition = "binary, empty, no wait", .bytes = semaphore_bytes,
           .set_up = create_empty, .after = is_zero, .tear_down = delete_semaphore)

RETURNS_FROM(end_wait, "semaphore_take.blocks", xTaskAbortDelay(caller))

static uint32_t both_bytes(const struct series *series) {
    return semaphore_bytes(series) + PARTNER_BYTES;
}

static bool create_and_start_below(const struct series *series) {
    return create_empty(series) && start_partner_below(end_wait);
}

static void delete_both(const struct series *series) {
    stop_partner();
    delete_semaphore(series);
}

TIMED_CASE(semaphore_take, blocks, xQueueSemaphoreTake, xSemaphoreTake(semaphore, portMAX_DELAY),
           LIBRARY, .condition = "binary, empty: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = both_bytes, .set_up = create_and_start_below,
           .after = is_zero, .tear_down = delete_both)

/* Give, with nobody waiting. */

static bool take_back(const struct series *series, uintptr_t given) {
    return given == pdTRUE && xSemaphoreTake(semaphore, 0) == pdTRUE;
}

TIMED_CASE(semaphore_give, binary_empty, xQueueGenericSend, xSemaphoreGive(semaphore), LIBRARY,
           .condition = "binary, empty", .bytes = semaphore_bytes, .set_up = create_empty,
           .after = take_back, .tear_down = delete_semaphore)

/* Give, with a task of higher priority waiting: it runs before the call returns. */

RETURNS_FROM(wait_for_ever, "semaphore_give.wakes_higher", xSemaphoreTake(semaphore, portMAX_DELAY))

static bool create_waiter(const struct series *series) {
    return create_empty(series) && start_partner(wait_for_ever, PRIORITY_WOKEN);
}

static bool has_given(const struct series *series, uintptr_t given) {
    return given == pdTRUE && uxSemaphoreGetCount(semaphore) == 0;
}

TIMED_CASE(semaphore_give, wakes_higher, xQueueGenericSend, xSemaphoreGive(semaphore), LIBRARY,
           .condition = "binary, one task of higher priority waiting", .flags = CASE_MOVES,
           .bytes = both_bytes, .set_up = create_waiter, .after = has_given,
           .tear_down = delete_both)

/* Give, with N tasks of lower priority waiting: the first of them becomes ready. It is always the
 * same one: when it waits again, it does so with a higher priority. */

static void wait_below(void *unused) {
    for (;;)
        xSemaphoreTake(semaphore, portMAX_DELAY);
}

static uint32_t waiters_bytes(const struct series *series) {
    return semaphore_bytes(series) + CROWD_BYTES(series->x, HELPER_STACK_WORDS);
}

static bool create_waiters(const struct series *series) {
    return create_empty(series) && start_crowd_below(wait_below, series->x);
}

static bool wait_again(const struct series *series, uintptr_t given) {
    run_and_lower(crowd[0]);
    return given == pdTRUE && uxSemaphoreGetCount(semaphore) == 0;
}

static void delete_waiters(const struct series *series) {
    stop_crowd();
    delete_semaphore(series);
}

TIMED_CASE(semaphore_give, wakes_lower, xQueueGenericSend, xSemaphoreGive(semaphore), LIBRARY,
           .condition = "binary, tasks of lower priority waiting", .parameter = "waiting tasks",
           .unit = "task", X_FROM_TO(1, MOST_IN_CROWD), .bytes = waiters_bytes,
           .set_up = create_waiters, .after = wait_again, .tear_down = delete_waiters)

/* From an ISR. */

TIMED_CASE(semaphore_give_from_isr, binary_empty, xQueueGiveFromISR,
           xSemaphoreGiveFromISR(semaphore, &woken), FROM_ISR,
           .condition = "from an ISR; binary, empty", .bytes = semaphore_bytes,
           .set_up = create_empty, .after = take_back, .tear_down = delete_semaphore)

RETURNS_FROM(wait_for_isr, "semaphore_give_from_isr.wakes_higher",
             xSemaphoreTake(semaphore, portMAX_DELAY))

static bool create_waiter_for_isr(const struct series *series) {
    return create_empty(series) && start_partner(wait_for_isr, PRIORITY_WOKEN);
}

TIMED_CASE(semaphore_give_from_isr, wakes_higher, xQueueGiveFromISR,
           xSemaphoreGiveFromISR(semaphore, &woken), LIBRARY,
           .condition = "from an ISR that ends with a switch to the waiting task",
           .flags = CASE_INTERRUPT | CASE_MOVES, .bytes = both_bytes,
           .set_up = create_waiter_for_isr, .after = has_given, .tear_down = delete_both)
