/* Message queues and semaphores from an ISR: the ends of a queue, peek, tasks that wait. */
#include "word_queue.h"

static bool empty_it(const struct series *series, uintptr_t passed) {
    return passed == pdPASS && xQueueReset(queue) == pdPASS;
}

/* Send. */

TIMED_CASE(queue_send_front_from_isr, room, xQueueGenericSendFromISR,
           xQueueSendToFrontFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; to the front of an empty queue, nobody waiting",
           .bytes = queue_and_partner_bytes, .set_up = create_empty, .after = empty_it,
           .tear_down = delete_queue_and_partner)

TIMED_CASE(queue_overwrite_from_isr, full, xQueueGenericSendFromISR,
           xQueueOverwriteFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; a queue of one message, full",
           .bytes = queue_and_partner_bytes, .set_up = create_full, .after = is_true,
           .tear_down = delete_queue_and_partner)

static bool create_receiver(const struct series *series) {
    return create_empty(series) && start_waiter_below(receive_for_ever);
}

static bool receive_again(const struct series *series, uintptr_t passed) {
    run_and_lower(partner);
    return passed == pdPASS && uxQueueMessagesWaiting(queue) == 0;
}

TIMED_CASE(queue_send_from_isr, wakes_lower, xQueueGenericSendFromISR,
           xQueueSendFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; a task of lower priority waits for a message",
           .bytes = queue_and_partner_bytes, .set_up = create_receiver, .after = receive_again,
           .tear_down = delete_queue_and_partner)

/* Receive and peek. */

TIMED_CASE(queue_receive_from_isr, empty, xQueueReceiveFromISR,
           xQueueReceiveFromISR(queue, &word, &woken), FROM_ISR, .condition = "from an ISR; empty",
           .bytes = queue_and_partner_bytes, .set_up = create_empty, .after = is_zero,
           .tear_down = delete_queue_and_partner)

TIMED_CASE(queue_receive_from_isr, wakes_sender, xQueueReceiveFromISR,
           xQueueReceiveFromISR(queue, &received, &woken), FROM_ISR,
           .condition = "from an ISR; full, a task of lower priority waits to send",
           .bytes = queue_and_partner_bytes, .set_up = create_sender, .after = send_again,
           .tear_down = delete_queue_and_partner)

TIMED_CASE(queue_peek_from_isr, one_message, xQueuePeekFromISR, xQueuePeekFromISR(queue, &word),
           FROM_ISR, .condition = "from an ISR; one message", .bytes = queue_and_partner_bytes,
           .set_up = create_full, .after = is_true, .tear_down = delete_queue_and_partner)

TIMED_CASE(queue_peek_from_isr, empty, xQueuePeekFromISR, xQueuePeekFromISR(queue, &word), FROM_ISR,
           .condition = "from an ISR; empty", .bytes = queue_and_partner_bytes,
           .set_up = create_empty, .after = is_zero, .tear_down = delete_queue_and_partner)

/* Semaphores: queues whose messages have no bytes. */

static uint32_t semaphore_bytes(const struct series *series) {
    return QUEUE_BYTES(0, 0);
}

static bool create_given(const struct series *series) {
    queue = xSemaphoreCreateBinary();
    return queue != NULL && xSemaphoreGive(queue) == pdTRUE;
}

static bool give_back(const struct series *series, uintptr_t taken) {
    return taken == pdTRUE && xSemaphoreGive(queue) == pdTRUE;
}

TIMED_CASE(semaphore_take_from_isr, binary_full, xQueueReceiveFromISR,
           xSemaphoreTakeFromISR(queue, &woken), FROM_ISR, .condition = "from an ISR; binary, full",
           .bytes = semaphore_bytes, .set_up = create_given, .after = give_back,
           .tear_down = delete_queue_and_partner)

TIMED_CASE(semaphore_give_from_isr, binary_full, xQueueGiveFromISR,
           xSemaphoreGiveFromISR(queue, &woken), FROM_ISR, .condition = "from an ISR; binary, full",
           .bytes = semaphore_bytes, .set_up = create_given, .after = is_zero,
           .tear_down = delete_queue_and_partner)
