/* Tasks: made, deleted, found. */
#include "heap_case.h"

/* Create: as many identical tasks as the series is long. All have one priority, below the
 * harness's, so none runs before the tear-down deletes it. */

static TaskHandle_t newest;

static bool has_created_task(const struct series *series, uintptr_t passed) {
    return passed == pdPASS && has_created(series, (uintptr_t)newest);
}

CREATED(TASK_BYTES(configMINIMAL_STACK_SIZE), vTaskDelete(one))

TIMED_CASE(task_create, ready, xTaskCreate,
           xTaskCreate(never_run, "load", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOAD, &newest),
           LIBRARY, .condition = "ready, of lower priority, after those created before it",
           .flags = CASE_LENGTH_IS_LOAD, .bytes = created_bytes, .set_up = create_none,
           .after = has_created_task, .tear_down = delete_created)

/* Delete, behind N free blocks of the heap. A task's memory returns in two pieces, of
 * which the second joins the first. */

static void *create_ready(void) {
    TaskHandle_t task = NULL;
    xTaskCreate(never_run, "load", configMINIMAL_STACK_SIZE, NULL, PRIORITY_LOAD, &task);
    return task;
}

DELETED(fragments_and_object_bytes(series), create_ready(), vTaskDelete(object))

static bool create_behind(const struct series *series) {
    object = NULL;
    return make_fragments(series) && create_object(series);
}

static void delete_behind(const struct series *series) {
    delete_object(series);
    free_fragments(series);
}

TIMED_ACTION(task_delete, ready, vTaskDelete, vTaskDelete(object), LIBRARY,
             .condition = "ready, of lower priority; heap_4, neighbours in use",
             .parameter = "free blocks before it", .unit = "block", X_FROM_TO(0, 64),
             .bytes = object_bytes, .set_up = create_behind, .after = create_object_again,
             .tear_down = delete_behind)

/* The same, when the task waits for a message. */

static uint32_t waiting_bytes(const struct series *series) {
    return gate_bytes(series) + BLOCK_BYTES(GUARD);
}

static bool create_waiting(const struct series *series) {
    return start_at_gate(series) && keep_object(partner);
}

static bool create_waiting_again(const struct series *series, uintptr_t nothing) {
    return start_partner(wait_at_gate, PRIORITY_WOKEN);
}

static void delete_waiting(const struct series *series) {
    delete_at_gate(series);
    free_guard();
}

TIMED_ACTION(task_delete, blocked, vTaskDelete, vTaskDelete(partner), LIBRARY,
             .condition = "blocked, waiting for a message; heap_4, neighbours in use",
             .bytes = waiting_bytes, .set_up = create_waiting, .after = create_waiting_again,
             .tear_down = delete_waiting)

/* Get a handle by name: of the last of N + 1 ready tasks. */

static uint32_t named_bytes(const struct series *series) {
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
