/* Message queues, with tasks waiting at them. */
#include "word_queue.h"

/* Send, to a task of higher priority that waits for the message: it runs before the call returns.
 */

RETURNS_FROM(receive_above, "queue_send.wakes_higher",
             xQueueReceive(queue, &received, portMAX_DELAY))

static bool wait_above(const struct series *series) {
    return create_empty(series) && start_partner(receive_above, PRIORITY_WOKEN);
}

TIMED_CASE(queue_send, wakes_higher, xQueueGenericSend, xQueueSend(queue, &word, 0), LIBRARY,
           .condition = "a task of higher priority waits for the message", .flags = CASE_MOVES,
           .bytes = queue_and_partner_bytes, .set_up = wait_above, .after = is_true,
           .tear_down = delete_queue_and_partner)

RETURNS_FROM(receive_from_isr, "queue_send_from_isr.wakes_higher",
             xQueueReceive(queue, &received, portMAX_DELAY))

static bool wait_for_isr(const struct series *series) {
    return create_empty(series) && start_partner(receive_from_isr, PRIORITY_WOKEN);
}

TIMED_CASE(queue_send_from_isr, wakes_higher, xQueueGenericSendFromISR,
           xQueueSendFromISR(queue, &word, &woken), LIBRARY,
           .condition = "from an ISR that ends with a switch to the waiting task",
           .flags = CASE_INTERRUPT | CASE_MOVES, .bytes = queue_and_partner_bytes,
           .set_up = wait_for_isr, .after = is_true, .tear_down = delete_queue_and_partner)

/* Send, with N tasks of lower priority waiting: the first of them becomes ready. It is always the
 * same one: when it waits again, it does so with a higher priority. */

static uint32_t waiters_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word) + CROWD_BYTES(series->x, HELPER_STACK_WORDS);
}

static bool create_waiters(const struct series *series) {
    return create_empty(series) && start_crowd_below(receive_for_ever, series->x);
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
           .unit = "task", X_FROM_TO(1, MOST_IN_CROWD), .bytes = waiters_bytes,
           .set_up = create_waiters, .after = wait_again, .tear_down = delete_waiters)

/* Receive, with a task of lower priority waiting to send: it becomes ready. */

TIMED_CASE(queue_receive, wakes_sender, xQueueReceive, xQueueReceive(queue, &received, 0), LIBRARY,
           .condition = "full, a task of lower priority waits to send",
           .bytes = queue_and_partner_bytes, .set_up = create_sender, .after = send_again,
           .tear_down = delete_queue_and_partner)

/* The caller waits: the call ends in the task below. */

RETURNS_FROM(end_receive, "queue_receive.blocks", xTaskAbortDelay(caller))

static bool create_empty_and_start_below(const struct series *series) {
    return create_empty(series) && start_partner_below(end_receive);
}

TIMED_CASE(queue_receive, blocks, xQueueReceive, xQueueReceive(queue, &received, portMAX_DELAY),
           LIBRARY, .condition = "empty: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = queue_and_partner_bytes,
           .set_up = create_empty_and_start_below, .after = is_zero,
           .tear_down = delete_queue_and_partner)

RETURNS_FROM(end_send, "queue_send.blocks", xTaskAbortDelay(caller))

static bool create_full_and_start_below(const struct series *series) {
    return create_full(series) && start_partner_below(end_send);
}

TIMED_CASE(queue_send, blocks, xQueueGenericSend, xQueueSend(queue, &word, portMAX_DELAY), LIBRARY,
           .condition = "full: waits; a task of lower priority goes on", .flags = CASE_MOVES,
           .bytes = queue_and_partner_bytes, .set_up = create_full_and_start_below,
           .after = is_zero, .tear_down = delete_queue_and_partner)

/* Receive, with a task of higher priority waiting to send: it runs before the call returns. */

RETURNS_FROM(send_above, "queue_receive.wakes_higher", xQueueSend(queue, &word, portMAX_DELAY))

static bool create_sender_above(const struct series *series) {
    return create_full(series) && start_partner(send_above, PRIORITY_WOKEN);
}

TIMED_CASE(queue_receive, wakes_higher, xQueueReceive, xQueueReceive(queue, &received, 0), LIBRARY,
           .condition = "full, a task of higher priority waits to send", .flags = CASE_MOVES,
           .bytes = queue_and_partner_bytes, .set_up = create_sender_above, .after = is_true,
           .tear_down = delete_queue_and_partner)

/* Reset, with a task of lower priority waiting to send: it becomes ready. */

TIMED_CASE(queue_reset, wakes_sender, xQueueGenericReset, xQueueReset(queue), LIBRARY,
           .condition = "full, a task of lower priority waits to send",
           .bytes = queue_and_partner_bytes, .set_up = create_sender, .after = send_again,
           .tear_down = delete_queue_and_partner)

/* Peek, and wait: the call ends in the task below. */

RETURNS_FROM(end_peek, "queue_peek.blocks", xTaskAbortDelay(caller))

static bool create_empty_for_peek(const struct series *series) {
    return create_empty(series) && start_partner_below(end_peek);
}

TIMED_CASE(queue_peek, blocks, xQueuePeek, xQueuePeek(queue, &received, portMAX_DELAY), LIBRARY,
           .condition = "empty: waits; a task of lower priority goes on", .flags = CASE_MOVES,
           .bytes = queue_and_partner_bytes, .set_up = create_empty_for_peek, .after = is_zero,
           .tear_down = delete_queue_and_partner)
