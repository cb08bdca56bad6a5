/* Tasks: made, deleted, found. */
#include "freertos_case.h"

/* Create: as many identical tasks as the series is long. All have one priority, below the
 * harness's, so none runs before the tear-down deletes it. */

static TaskHandle_t newest;

static bool has_created_task(const struct series *series, uintptr_t passed) {
    return passed == pdPASS && has_created(series, (uintptr_t)newest);
}

CREATED(TASK_BYTES(configMINIMAL_STACK_SIZE), vTaskDelete(object))

TIMED_CASE(task_create, ready, xTaskCreate,
           xTaskCreate(never_run, "load", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOAD, &newest),
           LIBRARY, .condition = "ready, of lower priority, after those created before it",
           .flags = CASE_LENGTH_IS_LOAD, .bytes = created_bytes, .set_up = create_none,
           .after = has_created_task, .tear_down = delete_created)

/* Delete: one of as many tasks as the series is long, in the order of their creation. */

static bool create_ready(const struct series *series) {
    return start_crowd(never_run, series->length, PRIORITY_LOAD, configMINIMAL_STACK_SIZE);
}

static bool is_gone(const struct series *series, uintptr_t nothing) {
    crowd[series->index] = NULL;
    return true;
}

static void delete_crowd(const struct series *series) {
    stop_crowd();
}

TIMED_ACTION(task_delete, ready, vTaskDelete, vTaskDelete(crowd[series->index]), LIBRARY,
             .condition = "ready, of lower priority", .flags = CASE_LENGTH_IS_LOAD,
             .bytes = created_bytes, .set_up = create_ready, .after = is_gone,
             .tear_down = delete_crowd)

/* The same, when the tasks wait for a message. */

static size_t waiting_bytes(const struct series *series) {
    return GATE_BYTES + CROWD_BYTES(series->length, HELPER_STACK_WORDS);
}

static bool create_waiting(const struct series *series) {
    return create_gate() &&
           start_crowd(wait_at_gate, series->length, PRIORITY_WOKEN, HELPER_STACK_WORDS);
}

static void delete_waiting(const struct series *series) {
    stop_crowd();
    delete_gate();
}

TIMED_ACTION(task_delete, blocked, vTaskDelete, vTaskDelete(crowd[series->index]), LIBRARY,
             .condition = "blocked, waiting for a message", .flags = CASE_LENGTH_IS_LOAD,
             .bytes = waiting_bytes, .set_up = create_waiting, .after = is_gone,
             .tear_down = delete_waiting)

/* Get a handle by name: of the last of N + 1 ready tasks. */

static size_t named_bytes(const struct series *series) {
    return CROWD_BYTES(series->x, configMINIMAL_STACK_SIZE) + PARTNER_BYTES;
}

static bool create_named(const struct series *series) {
    return start_crowd(never_run, series->x, PRIORITY_LOAD, configMINIMAL_STACK_SIZE) &&
           start_partner(never_run, PRIORITY_LOAD);
}

static bool is_partner(const struct series *series, uintptr_t handle) {
    return (TaskHandle_t)handle == partner;
}

static void delete_named(const struct series *series) {
    stop_partner();
    stop_crowd();
}

TIMED_CASE(task_get_handle, last_of_ready, xTaskGetHandle, xTaskGetHandle("partner"), LIBRARY,
           .condition = "the last of the ready tasks has the name",
           .parameter = "ready tasks before it", .unit = "task", X_FROM_TO(1, MOST_IN_CROWD),
           .bytes = named_bytes, .set_up = create_named, .after = is_partner,
           .tear_down = delete_named)
