/* The caller waits behind N tasks. The kernel keeps those that wait for one object in the order of
 * their priorities. It puts the caller behind all that are not of lower priority. They are of
 * higher priority here. The call ends in the task below, whose call ended the wait last. */
#include "freertos_case.h"

static QueueHandle_t waited_for; /* a semaphore and a mutex are queues too */
static uint32_t word, received;

static uint32_t waits_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word) + CROWD_BYTES(series->x, HELPER_STACK_WORDS) +
           2 * PARTNER_BYTES;
}

static bool start_behind(const struct series *series, TaskFunction_t wait, TaskFunction_t below) {
    return waited_for != NULL && start_crowd(wait, series->x, PRIORITY_WOKEN, HELPER_STACK_WORDS) &&
           start_partner_below(below);
}

static void end_waits(const struct series *series) {
    stop_partner();
    stop_crowd();
    if (waited_for != NULL)
        vQueueDelete(waited_for);
}

#define WAITS_BEHIND(what)                                                              \
    LIBRARY, .condition = what ": waits behind tasks of higher priority",               \
             .parameter = "waiting tasks", .unit = "task", X_FROM_TO(1, MOST_IN_CROWD), \
             .flags = CASE_MOVES, .bytes = waits_bytes, .after = is_zero

/* At a queue. */

static void receive_above(void *unused) {
    for (;;)
        xQueueReceive(waited_for, &received, portMAX_DELAY);
}

static void send_above(void *unused) {
    for (;;)
        xQueueSend(waited_for, &word, portMAX_DELAY);
}

RETURNS_FROM(end_receive, "queue_receive.behind_waiters", xTaskAbortDelay(caller))
RETURNS_FROM(end_peek, "queue_peek.behind_waiters", xTaskAbortDelay(caller))
RETURNS_FROM(end_send, "queue_send.behind_waiters", xTaskAbortDelay(caller))

static bool create_empty(const struct series *series, TaskFunction_t below) {
    waited_for = xQueueCreate(1, sizeof word);
    return start_behind(series, receive_above, below);
}

static bool receive_behind(const struct series *series) {
    return create_empty(series, end_receive);
}

static bool peek_behind(const struct series *series) {
    return create_empty(series, end_peek);
}

static bool send_behind(const struct series *series) {
    waited_for = xQueueCreate(1, sizeof word);
    return waited_for != NULL && xQueueSend(waited_for, &word, 0) == pdPASS &&
           start_behind(series, send_above, end_send);
}

TIMED_CASE(queue_receive, behind_waiters, xQueueReceive,
           xQueueReceive(waited_for, &received, portMAX_DELAY), WAITS_BEHIND("empty"),
           .set_up = receive_behind, .tear_down = end_waits)

TIMED_CASE(queue_peek, behind_waiters, xQueuePeek, xQueuePeek(waited_for, &received, portMAX_DELAY),
           WAITS_BEHIND("empty"), .set_up = peek_behind, .tear_down = end_waits)

TIMED_CASE(queue_send, behind_waiters, xQueueGenericSend,
           xQueueSend(waited_for, &word, portMAX_DELAY), WAITS_BEHIND("full"),
           .set_up = send_behind, .tear_down = end_waits)

/* At a semaphore. */

static void take_above(void *unused) {
    for (;;)
        xSemaphoreTake(waited_for, portMAX_DELAY);
}

RETURNS_FROM(end_take, "semaphore_take.behind_waiters", xTaskAbortDelay(caller))

static bool take_behind(const struct series *series) {
    waited_for = xSemaphoreCreateBinary();
    return start_behind(series, take_above, end_take);
}

TIMED_CASE(semaphore_take, behind_waiters, xQueueSemaphoreTake,
           xSemaphoreTake(waited_for, portMAX_DELAY), WAITS_BEHIND("binary, empty"),
           .set_up = take_behind, .tear_down = end_waits)

/* At a mutex, whose holder is of higher priority, and suspended. */

static TaskHandle_t holder;

static void hold(void *unused) {
    xSemaphoreTake(waited_for, 0);
    for (;;)
        vTaskSuspend(NULL);
}

RETURNS_FROM(end_take_of_mutex, "mutex_take.behind_waiters", xTaskAbortDelay(caller))

static bool take_mutex_behind(const struct series *series) {
    waited_for = xSemaphoreCreateMutex();
    if (waited_for == NULL || !start_partner(hold, PRIORITY_WOKEN))
        return false;
    holder = partner;
    return start_behind(series, take_above, end_take_of_mutex);
}

static void end_waits_for_mutex(const struct series *series) {
    end_waits(series);
    if (holder != NULL)
        vTaskDelete(holder);
    holder = NULL;
}

TIMED_CASE(mutex_take, behind_waiters, xQueueSemaphoreTake,
           xSemaphoreTake(waited_for, portMAX_DELAY),
           WAITS_BEHIND("mutex, its holder is suspended"), .set_up = take_mutex_behind,
           .tear_down = end_waits_for_mutex)
