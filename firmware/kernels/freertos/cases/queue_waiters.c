/* Message queues, with tasks waiting at them. */
#include "freertos_case.h"

static QueueHandle_t queue;
static uint32_t word, received;

static size_t queue_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word) + PARTNER_BYTES;
}

static bool create_empty(void) {
    queue = xQueueCreate(1, sizeof word);
    return queue != NULL;
}

static bool create_full(void) {
    return create_empty() && xQueueSend(queue, &word, 0) == pdPASS;
}

static void delete_both(const struct series *series) {
    stop_partner();
    vQueueDelete(queue);
}

/* Send, to a task of higher priority that waits for the message: it runs before the call returns.
 */

RETURNS_FROM(receive_above, "queue_send.wakes_higher",
             xQueueReceive(queue, &received, portMAX_DELAY))

static bool wait_above(const struct series *series) {
    return create_empty() && start_partner(receive_above, PRIORITY_WOKEN);
}

TIMED_CASE(queue_send, wakes_higher, xQueueGenericSend, xQueueSend(queue, &word, 0), LIBRARY,
           .condition = "a task of higher priority waits for the message", .flags = CASE_MOVES,
           .bytes = queue_bytes, .set_up = wait_above, .after = is_true, .tear_down = delete_both)

RETURNS_FROM(receive_from_isr, "queue_send_from_isr.wakes_higher",
             xQueueReceive(queue, &received, portMAX_DELAY))

static bool wait_for_isr(const struct series *series) {
    return create_empty() && start_partner(receive_from_isr, PRIORITY_WOKEN);
}

TIMED_CASE(queue_send_from_isr, wakes_higher, xQueueGenericSendFromISR,
           xQueueSendFromISR(queue, &word, &woken), LIBRARY,
           .condition = "from an ISR that ends with a switch to the waiting task",
           .flags = CASE_INTERRUPT | CASE_MOVES, .bytes = queue_bytes, .set_up = wait_for_isr,
           .after = is_true, .tear_down = delete_both)

/* Send, with N tasks of lower priority waiting: the first of them becomes ready. It is always the
 * same one: when it waits again, it does so with a higher priority. */

static void receive_below(void *unused) {
    for (;;)
        xQueueReceive(queue, &received, portMAX_DELAY);
}

static size_t waiters_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word) + CROWD_BYTES(series->x, HELPER_STACK_WORDS);
}

static bool create_waiters(const struct series *series) {
    if (!create_empty() ||
        !start_crowd(receive_below, series->x, PRIORITY_WOKEN, HELPER_STACK_WORDS))
        return false;
    run_crowd();
    return true;
}

static bool wait_again(const struct series *series, uintptr_t sent) {
    run_and_lower(crowd[0]);
    return sent == pdPASS && uxQueueMessagesWaiting(queue) == 0;
}

static void delete_waiters(const struct series *series) {
    stop_crowd();
    vQueueDelete(queue);
}

TIMED_CASE(queue_send, wakes_lower, xQueueGenericSend, xQueueSend(queue, &word, 0), LIBRARY,
           .condition = "tasks of lower priority wait for a message", .parameter = "waiting tasks",
           .unit = "task", VALUES(crowd_sizes), .bytes = waiters_bytes, .set_up = create_waiters,
           .after = wait_again, .tear_down = delete_waiters)

/* Receive, with a task of lower priority waiting to send: it becomes ready. */

static void send_below(void *unused) {
    for (;;)
        xQueueSend(queue, &word, portMAX_DELAY);
}

static bool create_sender(const struct series *series) {
    return create_full() && start_waiter_below(send_below);
}

static bool send_again(const struct series *series, uintptr_t passed) {
    run_and_lower(partner);
    return passed == pdPASS && uxQueueMessagesWaiting(queue) == 1;
}

TIMED_CASE(queue_receive, wakes_sender, xQueueReceive, xQueueReceive(queue, &received, 0), LIBRARY,
           .condition = "full, a task of lower priority waits to send", .bytes = queue_bytes,
           .set_up = create_sender, .after = send_again, .tear_down = delete_both)

/* The caller waits: the call ends in the task below. */

RETURNS_FROM(end_receive, "queue_receive.blocks", xTaskAbortDelay(caller))

static bool create_empty_and_start_below(const struct series *series) {
    return create_empty() && start_partner_below(end_receive);
}

TIMED_CASE(queue_receive, blocks, xQueueReceive, xQueueReceive(queue, &received, portMAX_DELAY),
           LIBRARY, .condition = "empty: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = queue_bytes, .set_up = create_empty_and_start_below,
           .after = is_zero, .tear_down = delete_both)

RETURNS_FROM(end_send, "queue_send.blocks", xTaskAbortDelay(caller))

static bool create_full_and_start_below(const struct series *series) {
    return create_full() && start_partner_below(end_send);
}

TIMED_CASE(queue_send, blocks, xQueueGenericSend, xQueueSend(queue, &word, portMAX_DELAY), LIBRARY,
           .condition = "full: waits; a task of lower priority goes on", .flags = CASE_MOVES,
           .bytes = queue_bytes, .set_up = create_full_and_start_below, .after = is_zero,
           .tear_down = delete_both)

/* Receive, with a task of higher priority waiting to send: it runs before the call returns. */

RETURNS_FROM(send_above, "queue_receive.wakes_higher", xQueueSend(queue, &word, portMAX_DELAY))

static bool create_sender_above(const struct series *series) {
    return create_full() && start_partner(send_above, PRIORITY_WOKEN);
}

TIMED_CASE(queue_receive, wakes_higher, xQueueReceive, xQueueReceive(queue, &received, 0), LIBRARY,
           .condition = "full, a task of higher priority waits to send", .flags = CASE_MOVES,
           .bytes = queue_bytes, .set_up = create_sender_above, .after = is_true,
           .tear_down = delete_both)

/* Reset, with a task of lower priority waiting to send: it becomes ready. */

TIMED_CASE(queue_reset, wakes_sender, xQueueGenericReset, xQueueReset(queue), LIBRARY,
           .condition = "full, a task of lower priority waits to send", .bytes = queue_bytes,
           .set_up = create_sender, .after = send_again, .tear_down = delete_both)

/* Peek, and wait: the call ends in the task below. */

RETURNS_FROM(end_peek, "queue_peek.blocks", xTaskAbortDelay(caller))

static bool create_empty_for_peek(const struct series *series) {
    return create_empty() && start_partner_below(end_peek);
}

TIMED_CASE(queue_peek, blocks, xQueuePeek, xQueuePeek(queue, &received, portMAX_DELAY), LIBRARY,
           .condition = "empty: waits; a task of lower priority goes on", .flags = CASE_MOVES,
           .bytes = queue_bytes, .set_up = create_empty_for_peek, .after = is_zero,
           .tear_down = delete_both)
