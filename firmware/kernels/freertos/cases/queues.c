/* Message queues, with nobody waiting at them. */
#include "freertos_case.h"

/* Bytes of a message; a case copies each of them. */

static QueueHandle_t queue;
static uint8_t *message;

static uint32_t queue_bytes(const struct series *series) {
    return QUEUE_BYTES(1, series->x) + BLOCK_BYTES(series->x);
}

static bool create_with_room(const struct series *series) {
    queue = xQueueCreate(1, series->x);
    message = pvPortMalloc(series->x);
    if (queue == NULL || message == NULL)
        return false;
    for (uint32_t i = 0; i < series->x; i++)
        message[i] = (uint8_t)i;
    return true;
}

static void delete_queue(const struct series *series) {
    vPortFree(message);
    if (queue != NULL)
        vQueueDelete(queue);
}

/* Send, to a queue with space. */

static bool receive_back(const struct series *series, uintptr_t sent) {
    return sent == pdPASS && xQueueReceive(queue, message, 0) == pdPASS;
}

TIMED_CASE(queue_send, room, xQueueGenericSend, xQueueSend(queue, message, 0), LIBRARY,
           .condition = "space for one message, nobody waiting", .parameter = "message size",
           .unit = "byte", X_FROM_TO(4, 256), .bytes = queue_bytes, .set_up = create_with_room,
           .after = receive_back, .tear_down = delete_queue)

/* Receive and peek, from a queue that holds one message. */

static bool create_with_message(const struct series *series) {
    return create_with_room(series) && xQueueSend(queue, message, 0) == pdPASS;
}

static bool send_back(const struct series *series, uintptr_t received) {
    return received == pdPASS && xQueueSend(queue, message, 0) == pdPASS;
}

TIMED_CASE(queue_receive, one_message, xQueueReceive, xQueueReceive(queue, message, 0), LIBRARY,
           .condition = "one message waiting, nobody else", .parameter = "message size",
           .unit = "byte", X_FROM_TO(4, 256), .bytes = queue_bytes, .set_up = create_with_message,
           .after = send_back, .tear_down = delete_queue)

TIMED_CASE(queue_peek, one_message, xQueuePeek, xQueuePeek(queue, message, 0), LIBRARY,
           .condition = "one message waiting, nobody else", .parameter = "message size",
           .unit = "byte", X_FROM_TO(4, 256), .bytes = queue_bytes, .set_up = create_with_message,
           .after = is_true, .tear_down = delete_queue)

/* A queue of four words. Each sample finds it with its ends where they were after its creation, so
 * that none of them wraps around. */

enum { SLOTS = 4 };

static uint32_t word;

static uint32_t words_bytes(const struct series *series) {
    return QUEUE_BYTES(SLOTS, sizeof word);
}

static bool create_empty(const struct series *series) {
    message = NULL;
    queue = xQueueCreate(SLOTS, sizeof word);
    return queue != NULL;
}

static QueueHandle_t fill(QueueHandle_t one) {
    while (one != NULL && xQueueSend(one, &word, 0) == pdPASS)
        ;
    return one;
}

static bool create_full(const struct series *series) {
    return create_empty(series) && fill(queue) != NULL;
}

static bool empty_it(const struct series *series, uintptr_t sent) {
    return sent == pdPASS && xQueueReset(queue) == pdPASS;
}

TIMED_CASE(queue_send, front, xQueueGenericSend, xQueueSendToFront(queue, &word, 0), LIBRARY,
           .condition = "to the front of an empty queue, nobody waiting", .bytes = words_bytes,
           .set_up = create_empty, .after = empty_it, .tear_down = delete_queue)

TIMED_CASE(queue_send, full_no_wait, xQueueGenericSend, xQueueSend(queue, &word, 0), LIBRARY,
           .condition = "full, no wait", .bytes = words_bytes, .set_up = create_full,
           .after = is_zero, .tear_down = delete_queue)

TIMED_CASE(queue_receive, empty_no_wait, xQueueReceive, xQueueReceive(queue, &word, 0), LIBRARY,
           .condition = "empty, no wait", .bytes = words_bytes, .set_up = create_empty,
           .after = is_zero, .tear_down = delete_queue)

TIMED_CASE(queue_peek, empty_no_wait, xQueuePeek, xQueuePeek(queue, &word, 0), LIBRARY,
           .condition = "empty, no wait", .bytes = words_bytes, .set_up = create_empty,
           .after = is_zero, .tear_down = delete_queue)

static uint32_t mailbox_bytes(const struct series *series) {
    return QUEUE_BYTES(1, sizeof word);
}

static bool create_mailbox(const struct series *series) {
    message = NULL;
    queue = xQueueCreate(1, sizeof word);
    return queue != NULL && xQueueSend(queue, &word, 0) == pdPASS;
}

TIMED_CASE(queue_overwrite, full, xQueueGenericSend, xQueueOverwrite(queue, &word), LIBRARY,
           .condition = "a queue of one message, full", .bytes = mailbox_bytes,
           .set_up = create_mailbox, .after = is_true, .tear_down = delete_queue)

/* From an ISR. */

TIMED_CASE(queue_send_from_isr, room, xQueueGenericSendFromISR,
           xQueueSendFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; empty, nobody waiting", .bytes = words_bytes,
           .set_up = create_empty, .after = empty_it, .tear_down = delete_queue)

TIMED_CASE(queue_send_from_isr, full, xQueueGenericSendFromISR,
           xQueueSendFromISR(queue, &word, &woken), FROM_ISR, .condition = "from an ISR; full",
           .bytes = words_bytes, .set_up = create_full, .after = is_zero, .tear_down = delete_queue)

static bool send_word(const struct series *series, uintptr_t received) {
    return empty_it(series, received) && xQueueSend(queue, &word, 0) == pdPASS;
}

static bool create_with_word(const struct series *series) {
    return create_empty(series) && send_word(series, pdPASS);
}

TIMED_CASE(queue_receive_from_isr, one_message, xQueueReceiveFromISR,
           xQueueReceiveFromISR(queue, &word, &woken), FROM_ISR,
           .condition = "from an ISR; one message, nobody else waiting", .bytes = words_bytes,
           .set_up = create_with_word, .after = send_word, .tear_down = delete_queue)

/* Create, delete and reset, by the number of messages; create: as many as the series is long. */

CREATED(QUEUE_BYTES(series->x, sizeof word), vQueueDelete(one))

TIMED_CASE(queue_create, one_more, xQueueGenericCreate, xQueueCreate(series->x, sizeof word),
           LIBRARY, .condition = "messages of 4 bytes, after the queues created before it",
           .flags = CASE_LENGTH_IS_LOAD, .parameter = "space for messages", .unit = "message",
           X_FROM_TO(1, 32), .bytes = created_bytes, .set_up = create_none, .after = has_created,
           .tear_down = delete_created)

DELETED(QUEUE_BYTES(series->x, sizeof word), fill(xQueueCreate(series->x, sizeof word)),
        vQueueDelete(object))

TIMED_ACTION(queue_delete, full, vQueueDelete, vQueueDelete(object), LIBRARY,
             .condition = "holding messages of 4 bytes; heap_4, neighbours in use",
             .parameter = "messages", .unit = "message", X_FROM_TO(1, 32), .bytes = object_bytes,
             .set_up = create_object, .after = create_object_again, .tear_down = delete_object)

static bool fill_again(const struct series *series, uintptr_t done) {
    return done == pdPASS && fill(queue) != NULL;
}

TIMED_CASE(queue_reset, full, xQueueGenericReset, xQueueReset(queue), LIBRARY, .condition = "full",
           .bytes = words_bytes, .set_up = create_full, .after = fill_again,
           .tear_down = delete_queue)
