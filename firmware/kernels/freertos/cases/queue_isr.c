/* Message queues and semaphores from an ISR: the ends of a queue, peek, tasks that wait. */
#include "freertos_case.h"

static QueueHandle_t queue;
static uint32_t word, received;

static size_t queue_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word) + PARTNER_BYTES;
}

static bool create_empty(const struct series *series) {
    queue = xQueueCreate(1, sizeof word);
    return queue != NULL;
}

static bool create_full(const struct series *series) {
    return create_empty(series) && xQueueSend(queue, &word, 0) == pdPASS;
}

static void delete_both(const struct series *series) {
    stop_partner();
    if (queue != NULL)
        vQueueDelete(queue);
}

static bool empty_it(const struct series *series, uintptr_t passed) {
    return passed == pdPASS && xQueueReset(queue) == pdPASS;
}

/* Send. */

TIMED_CASE(queue_send_front_from_isr, room, xQueueGenericSendFromISR,
           xQueueSendToFrontFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; to the front of an empty queue, nobody waiting",
           .bytes = queue_bytes, .set_up = create_empty, .after = empty_it,
           .tear_down = delete_both)

TIMED_CASE(queue_overwrite_from_isr, full, xQueueGenericSendFromISR,
           xQueueOverwriteFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; a queue of one message, full", .bytes = queue_bytes,
           .set_up = create_full, .after = is_true, .tear_down = delete_both)

static void receive_below(void *unused) {
    for (;;)
        xQueueReceive(queue, &received, portMAX_DELAY);
}

static bool create_receiver(const struct series *series) {
    return create_empty(series) && start_waiter_below(receive_below);
}

static bool receive_again(const struct series *series, uintptr_t passed) {
    run_and_lower(partner);
    return passed == pdPASS && uxQueueMessagesWaiting(queue) == 0;
}

TIMED_CASE(queue_send_from_isr, wakes_lower, xQueueGenericSendFromISR,
           xQueueSendFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; a task of lower priority waits for a message",
           .bytes = queue_bytes, .set_up = create_receiver, .after = receive_again,
           .tear_down = delete_both)

/* Receive and peek. */

TIMED_CASE(queue_receive_from_isr, empty, xQueueReceiveFromISR,
           xQueueReceiveFromISR(queue, &word, &woken), FROM_ISR, .condition = "from an ISR; empty",
           .bytes = queue_bytes, .set_up = create_empty, .after = is_zero, .tear_down = delete_both)

static void send_below(void *unused) {
    for (;;)
        xQueueSend(queue, &word, portMAX_DELAY);
}

static bool create_sender(const struct series *series) {
    return create_full(series) && start_waiter_below(send_below);
}

static bool send_again(const struct series *series, uintptr_t passed) {
    run_and_lower(partner);
    return passed == pdPASS && uxQueueMessagesWaiting(queue) == 1;
}

TIMED_CASE(queue_receive_from_isr, wakes_sender, xQueueReceiveFromISR,
           xQueueReceiveFromISR(queue, &received, &woken), FROM_ISR,
           .condition = "from an ISR; full, a task of lower priority waits to send",
           .bytes = queue_bytes, .set_up = create_sender, .after = send_again,
           .tear_down = delete_both)

TIMED_CASE(queue_peek_from_isr, one_message, xQueuePeekFromISR, xQueuePeekFromISR(queue, &word),
           FROM_ISR, .condition = "from an ISR; one message", .bytes = queue_bytes,
           .set_up = create_full, .after = is_true, .tear_down = delete_both)

TIMED_CASE(queue_peek_from_isr, empty, xQueuePeekFromISR, xQueuePeekFromISR(queue, &word), FROM_ISR,
           .condition = "from an ISR; empty", .bytes = queue_bytes, .set_up = create_empty,
           .after = is_zero, .tear_down = delete_both)

/* Semaphores: queues whose messages have no bytes. */

static size_t semaphore_bytes(const struct series *series) {
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
           .tear_down = delete_both)

TIMED_CASE(semaphore_give_from_isr, binary_full, xQueueGiveFromISR,
           xSemaphoreGiveFromISR(queue, &woken), FROM_ISR, .condition = "from an ISR; binary, full",
           .bytes = semaphore_bytes, .set_up = create_given, .after = is_zero,
           .tear_down = delete_both)
