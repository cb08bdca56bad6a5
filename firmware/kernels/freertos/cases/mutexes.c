/* Mutexes, plain and recursive: semaphores with a holder, who inherits the priority of who waits.
 */
#include "freertos_case.h"

static SemaphoreHandle_t mutex;

static uint32_t mutex_bytes(const struct series *series) {
    return QUEUE_BYTES(0, 0);
}

static uint32_t both_bytes(const struct series *series) {
    return mutex_bytes(series) + PARTNER_BYTES;
}

static bool create_free(const struct series *series) {
    mutex = xSemaphoreCreateMutex();
    return mutex != NULL;
}

static bool create_held(const struct series *series) {
    return create_free(series) && xSemaphoreTake(mutex, 0) == pdTRUE;
}

static void delete_mutex(const struct series *series) {
    if (mutex != NULL)
        vSemaphoreDelete(mutex);
}

static void give_and_delete(const struct series *series) {
    if (mutex != NULL)
        xSemaphoreGive(mutex);
    delete_mutex(series);
}

/* Create: as many as the series is long. */

CREATED(mutex_bytes(series), vSemaphoreDelete(one))

TIMED_CASE(mutex_create, one_more, xQueueCreateMutex, xSemaphoreCreateMutex(), LIBRARY,
           .condition = "after those created before it", .flags = CASE_LENGTH_IS_LOAD,
           .bytes = created_bytes, .set_up = create_none, .after = has_created,
           .tear_down = delete_created)

/* Take and give, with nobody else about. */

static bool give_back(const struct series *series, uintptr_t taken) {
    return taken == pdTRUE && xSemaphoreGive(mutex) == pdTRUE;
}

TIMED_CASE(mutex_take, free, xQueueSemaphoreTake, xSemaphoreTake(mutex, 0), LIBRARY,
           .condition = "mutex, free", .bytes = mutex_bytes, .set_up = create_free,
           .after = give_back, .tear_down = delete_mutex)

static bool take_back(const struct series *series, uintptr_t given) {
    return given == pdTRUE && xSemaphoreTake(mutex, 0) == pdTRUE;
}

TIMED_CASE(mutex_give, held, xQueueGenericSend, xSemaphoreGive(mutex), LIBRARY,
           .condition = "mutex, held, nobody waiting", .bytes = mutex_bytes, .set_up = create_held,
           .after = take_back, .tear_down = give_and_delete)

/* Take, while a task of lower priority holds it: that one inherits the caller's priority and goes
 * on. It got where it is by lowering itself, and gives the mutex next. */

static void hold_below(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    for (;;) {
        xSemaphoreTake(mutex, 0);
        vTaskPrioritySet(NULL, PRIORITY_LOAD);
        MOVED_PROBE(timer, "mutex_take.held_by_lower");
        xSemaphoreGive(mutex);
    }
}

static bool create_and_hold_below(const struct series *series) {
    return create_free(series) && start_partner(hold_below, PRIORITY_WOKEN);
}

static bool let_it_take_again(const struct series *series, uintptr_t taken) {
    bool given = xSemaphoreGive(mutex) == pdTRUE;
    vTaskPrioritySet(partner, PRIORITY_WOKEN);
    return taken == pdTRUE && given;
}

static void delete_both(const struct series *series) {
    stop_partner();
    delete_mutex(series);
}

TIMED_CASE(mutex_take, held_by_lower, xQueueSemaphoreTake, xSemaphoreTake(mutex, portMAX_DELAY),
           LIBRARY, .condition = "mutex, held by a task of lower priority, which inherits",
           .flags = CASE_MOVES, .bytes = both_bytes, .set_up = create_and_hold_below,
           .after = let_it_take_again, .tear_down = delete_both)

/* Give, while a task of higher priority waits: the caller loses the priority it inherited, and the
 * other goes on. */

static void take_above(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    for (;;) {
        vTaskSuspend(NULL);
        xSemaphoreTake(mutex, portMAX_DELAY);
        MOVED_PROBE(timer, "mutex_give.wakes_higher");
        xSemaphoreGive(mutex);
    }
}

static bool hold_and_let_wait(const struct series *series, uintptr_t given) {
    bool held = xSemaphoreTake(mutex, 0) == pdTRUE;
    vTaskResume(partner);
    return given == pdTRUE && held && uxTaskPriorityGet(NULL) == PRIORITY_WOKEN;
}

static bool create_and_let_wait(const struct series *series) {
    return create_free(series) && start_partner(take_above, PRIORITY_WOKEN) &&
           hold_and_let_wait(series, pdTRUE);
}

static void give_and_delete_both(const struct series *series) {
    if (partner != NULL)
        xSemaphoreGive(mutex);
    delete_both(series);
}

TIMED_CASE(mutex_give, wakes_higher, xQueueGenericSend, xSemaphoreGive(mutex), LIBRARY,
           .condition = "mutex, a task of higher priority waits; the caller has inherited",
           .flags = CASE_MOVES, .bytes = both_bytes, .set_up = create_and_let_wait,
           .after = hold_and_let_wait, .tear_down = give_and_delete_both)

/* Recursive: the first take and the last give are those of a mutex, the others only count. */

static bool create_recursive(const struct series *series) {
    mutex = xSemaphoreCreateRecursiveMutex();
    return mutex != NULL;
}

static bool create_recursive_held(const struct series *series) {
    return create_recursive(series) && xSemaphoreTakeRecursive(mutex, 0) == pdTRUE;
}

static bool create_recursive_held_twice(const struct series *series) {
    return create_recursive_held(series) && xSemaphoreTakeRecursive(mutex, 0) == pdTRUE;
}

static bool give_back_recursive(const struct series *series, uintptr_t taken) {
    return taken == pdTRUE && xSemaphoreGiveRecursive(mutex) == pdTRUE;
}

static bool take_back_recursive(const struct series *series, uintptr_t given) {
    return given == pdTRUE && xSemaphoreTakeRecursive(mutex, 0) == pdTRUE;
}

static void give_all_and_delete(const struct series *series) {
    while (mutex != NULL && xSemaphoreGiveRecursive(mutex) == pdTRUE)
        ;
    delete_mutex(series);
}

TIMED_CASE(recursive_take, free, xQueueTakeMutexRecursive, xSemaphoreTakeRecursive(mutex, 0),
           LIBRARY, .condition = "recursive mutex, free", .bytes = mutex_bytes,
           .set_up = create_recursive, .after = give_back_recursive,
           .tear_down = give_all_and_delete)

TIMED_CASE(recursive_take, held, xQueueTakeMutexRecursive, xSemaphoreTakeRecursive(mutex, 0),
           LIBRARY, .condition = "recursive mutex, held by the caller", .bytes = mutex_bytes,
           .set_up = create_recursive_held, .after = give_back_recursive,
           .tear_down = give_all_and_delete)

TIMED_CASE(recursive_give, inner, xQueueGiveMutexRecursive, xSemaphoreGiveRecursive(mutex), LIBRARY,
           .condition = "recursive mutex, held twice by the caller", .bytes = mutex_bytes,
           .set_up = create_recursive_held_twice, .after = take_back_recursive,
           .tear_down = give_all_and_delete)

TIMED_CASE(recursive_give, last, xQueueGiveMutexRecursive, xSemaphoreGiveRecursive(mutex), LIBRARY,
           .condition = "recursive mutex, held once by the caller", .bytes = mutex_bytes,
           .set_up = create_recursive_held, .after = take_back_recursive,
           .tear_down = give_all_and_delete)
