/* Semaphores. */
#include "freertos_case.h"

static SemaphoreHandle_t semaphore;

static size_t semaphore_bytes(const struct series *series) {
    (void)series;
    return QUEUE_BYTES(0, 0);
}

static bool create_empty(const struct series *series) {
    (void)series;
    semaphore = xSemaphoreCreateBinary();
    return semaphore != NULL;
}

static void delete_semaphore(const struct series *series) {
    (void)series;
    if (semaphore != NULL)
        vSemaphoreDelete(semaphore);
}

/* Take, of a semaphore that is there to be taken. */

static bool create_full(const struct series *series) {
    return create_empty(series) && xSemaphoreGive(semaphore) == pdTRUE;
}

static bool give_back(const struct series *series, uintptr_t taken) {
    (void)series;
    return taken == pdTRUE && xSemaphoreGive(semaphore) == pdTRUE;
}

TIMED_CASE(semaphore_take, binary_full, xQueueSemaphoreTake, xSemaphoreTake(semaphore, 0), LIBRARY,
           .condition = "binary, full", .bytes = semaphore_bytes, .set_up = create_full,
           .after = give_back, .tear_down = delete_semaphore)

/* Give, with nobody waiting. */

static bool take_back(const struct series *series, uintptr_t given) {
    (void)series;
    return given == pdTRUE && xSemaphoreTake(semaphore, 0) == pdTRUE;
}

TIMED_CASE(semaphore_give, binary_empty, xQueueGenericSend, xSemaphoreGive(semaphore), LIBRARY,
           .condition = "binary, empty", .bytes = semaphore_bytes, .set_up = create_empty,
           .after = take_back, .tear_down = delete_semaphore)

/* Give, with a task of higher priority waiting: it runs before the call returns. */

static TaskHandle_t waiter;

static void wait_for_ever(void *unused) {
    (void)unused;
    const volatile uint32_t *timer = probe_timer();
    for (;;) {
        xSemaphoreTake(semaphore, portMAX_DELAY);
        MOVED_PROBE(timer, "semaphore_give.wakes_higher");
    }
}

static size_t waiter_bytes(const struct series *series) {
    return semaphore_bytes(series) + TASK_BYTES(HELPER_STACK_WORDS);
}

static bool create_waiter(const struct series *series) {
    waiter = NULL;
    return create_empty(series) && xTaskCreate(wait_for_ever, "waiter", HELPER_STACK_WORDS, NULL,
                                               PRIORITY_WOKEN, &waiter) == pdPASS;
}

static bool has_given(const struct series *series, uintptr_t given) {
    (void)series;
    return given == pdTRUE && uxSemaphoreGetCount(semaphore) == 0;
}

static void delete_waiter(const struct series *series) {
    if (waiter != NULL)
        vTaskDelete(waiter);
    delete_semaphore(series);
}

TIMED_CASE(semaphore_give, wakes_higher, xQueueGenericSend, xSemaphoreGive(semaphore), LIBRARY,
           .condition = "binary, one task of higher priority waiting", .flags = CASE_MOVES,
           .bytes = waiter_bytes, .set_up = create_waiter, .after = has_given,
           .tear_down = delete_waiter)
