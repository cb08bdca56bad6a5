/* Tasks. */
#include "freertos_case.h"

/* Create: as many identical tasks as the series is long. All have one priority, below the
 * harness's, so none runs before the tear-down deletes it. */

static TaskHandle_t *created;

static void load(void *unused) {
    (void)unused;
    for (;;)
        vTaskSuspend(NULL);
}

static size_t created_bytes(const struct series *series) {
    return BLOCK_BYTES(series->length * sizeof *created) +
           series->length * TASK_BYTES(configMINIMAL_STACK_SIZE);
}

static bool create_none(const struct series *series) {
    created = pvPortMalloc(series->length * sizeof *created);
    for (uint16_t i = 0; created != NULL && i < series->length; i++)
        created[i] = NULL;
    return created != NULL;
}

static bool has_created(const struct series *series, uintptr_t passed) {
    return passed == pdPASS && created[series->index] != NULL;
}

static void delete_created(const struct series *series) {
    for (uint16_t i = 0; created != NULL && i < series->length; i++)
        if (created[i] != NULL)
            vTaskDelete(created[i]);
    vPortFree(created);
}

TIMED_CASE(task_create, ready, xTaskCreate,
           xTaskCreate(load, "load", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOAD,
                       &created[series->index]),
           LIBRARY, .condition = "ready, of lower priority, after those created before it",
           .flags = CASE_LENGTH_IS_LOAD, .bytes = created_bytes, .set_up = create_none,
           .after = has_created, .tear_down = delete_created)

/* Yield, to the one other task of the same priority, which yields back. It is always ready. */

static TaskHandle_t partner;

static void yield_back(void *unused) {
    (void)unused;
    const volatile uint32_t *timer = probe_timer();
    for (;;) {
        taskYIELD();
        MOVED_PROBE(timer, "yield.equals");
    }
}

static size_t partner_bytes(const struct series *series) {
    (void)series;
    return TASK_BYTES(HELPER_STACK_WORDS);
}

static bool create_partner(const struct series *series) {
    (void)series;
    partner = NULL;
    if (xTaskCreate(yield_back, "partner", HELPER_STACK_WORDS, NULL, PRIORITY_HARNESS, &partner) !=
        pdPASS)
        return false;
    taskYIELD(); /* it starts, and stands in its own yield from now on */
    return true;
}

static void delete_partner(const struct series *series) {
    (void)series;
    if (partner != NULL)
        vTaskDelete(partner);
}

TIMED_INSTRUCTION(yield, equals, "swi", taskYIELD(), LIBRARY,
                  .condition = "one other task ready, of equal priority", .flags = CASE_MOVES,
                  .bytes = partner_bytes, .set_up = create_partner, .tear_down = delete_partner)
