/* A queue with space for one word, and a partner that waits at it. */
#include "cases/word_queue.h"

QueueHandle_t queue;
uint32_t word, received;

void receive_for_ever(void *unused) {
    for (;;)
        xQueueReceive(queue, &received, portMAX_DELAY);
}

uint32_t queue_and_partner_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word) + PARTNER_BYTES;
}

bool create_empty(const struct series *series) {
    queue = xQueueCreate(1, sizeof word);
    return queue != NULL;
}

bool create_full(const struct series *series) {
    return create_empty(series) && xQueueSend(queue, &word, 0) == pdPASS;
}

void delete_queue_and_partner(const struct series *series) {
    stop_partner();
    if (queue != NULL)
        vQueueDelete(queue);
}

static void send_for_ever(void *unused) {
    for (;;)
        xQueueSend(queue, &word, portMAX_DELAY);
}

bool create_sender(const struct series *series) {
    return create_full(series) && start_waiter_below(send_for_ever);
}

bool send_again(const struct series *series, uintptr_t passed) {
    run_and_lower(partner);
    return passed == pdPASS && uxQueueMessagesWaiting(queue) == 1;
}
