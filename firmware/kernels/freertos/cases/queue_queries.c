/* Queries of queues: messages, free space, length; and of mutexes: their holder. */
#include "freertos_case.h"

enum { SLOTS = 4 };

static QueueHandle_t queue;
static uint32_t word;

static uint32_t queue_bytes(const struct series *series) {
    return QUEUE_BYTES(SLOTS, sizeof word);
}

static bool create_empty(const struct series *series) {
    queue = xQueueCreate(SLOTS, sizeof word);
    return queue != NULL;
}

static bool create_with_message(const struct series *series) {
    return create_empty(series) && xQueueSend(queue, &word, 0) == pdPASS;
}

static bool create_full(const struct series *series) {
    if (!create_empty(series))
        return false;
    while (xQueueSend(queue, &word, 0) == pdPASS)
        ;
    return true;
}

static void delete_queue(const struct series *series) {
    if (queue != NULL)
        vQueueDelete(queue);
}

static bool is_one(const struct series *series, uintptr_t count) {
    return count == 1;
}

static bool is_all_but_one(const struct series *series, uintptr_t count) {
    return count == SLOTS - 1;
}

static bool is_length(const struct series *series, uintptr_t count) {
    return count == SLOTS;
}

static bool is_size(const struct series *series, uintptr_t bytes) {
    return bytes == sizeof word;
}

TIMED_CASE(queue_messages, one, uxQueueMessagesWaiting, uxQueueMessagesWaiting(queue), LIBRARY,
           .condition = "one message", .bytes = queue_bytes, .set_up = create_with_message,
           .after = is_one, .tear_down = delete_queue)

TIMED_CASE(queue_messages_from_isr, one, uxQueueMessagesWaitingFromISR,
           uxQueueMessagesWaitingFromISR(queue), FROM_ISR, .condition = "from an ISR; one message",
           .bytes = queue_bytes, .set_up = create_with_message, .after = is_one,
           .tear_down = delete_queue)

TIMED_CASE(queue_spaces, three, uxQueueSpacesAvailable, uxQueueSpacesAvailable(queue), LIBRARY,
           .condition = "one message, space for 3", .bytes = queue_bytes,
           .set_up = create_with_message, .after = is_all_but_one, .tear_down = delete_queue)

TIMED_CASE(queue_is_empty_from_isr, empty, xQueueIsQueueEmptyFromISR,
           xQueueIsQueueEmptyFromISR(queue), FROM_ISR, .condition = "from an ISR; empty",
           .bytes = queue_bytes, .set_up = create_empty, .after = is_true,
           .tear_down = delete_queue)

TIMED_CASE(queue_is_full_from_isr, full, xQueueIsQueueFullFromISR, xQueueIsQueueFullFromISR(queue),
           FROM_ISR, .condition = "from an ISR; full", .bytes = queue_bytes, .set_up = create_full,
           .after = is_true, .tear_down = delete_queue)

TIMED_CASE(queue_length, four, uxQueueGetQueueLength, uxQueueGetQueueLength(queue), LIBRARY,
           .condition = "space for four messages", .bytes = queue_bytes, .set_up = create_empty,
           .after = is_length, .tear_down = delete_queue)

TIMED_CASE(queue_item_size, word, uxQueueGetQueueItemSize, uxQueueGetQueueItemSize(queue), LIBRARY,
           .condition = "messages of 4 bytes", .bytes = queue_bytes, .set_up = create_empty,
           .after = is_size, .tear_down = delete_queue)

/* Holders of mutexes. */

static uint32_t mutex_bytes(const struct series *series) {
    return QUEUE_BYTES(0, 0);
}

static bool create_held(const struct series *series) {
    queue = xSemaphoreCreateMutex();
    return queue != NULL && xSemaphoreTake(queue, 0) == pdTRUE;
}

static bool is_caller(const struct series *series, uintptr_t holder) {
    return (TaskHandle_t)holder == xTaskGetCurrentTaskHandle();
}

static void give_and_delete(const struct series *series) {
    if (queue != NULL)
        xSemaphoreGive(queue);
    delete_queue(series);
}

TIMED_CASE(mutex_holder, held, xQueueGetMutexHolder, xSemaphoreGetMutexHolder(queue), LIBRARY,
           .condition = "mutex, held by the caller", .bytes = mutex_bytes, .set_up = create_held,
           .after = is_caller, .tear_down = give_and_delete)

TIMED_CASE(mutex_holder_from_isr, held, xQueueGetMutexHolderFromISR,
           xSemaphoreGetMutexHolderFromISR(queue), FROM_ISR,
           .condition = "from an ISR; mutex, held by the interrupted task", .bytes = mutex_bytes,
           .set_up = create_held, .after = is_caller, .tear_down = give_and_delete)
