/* Message queues. */
#include "freertos_case.h"

/* Bytes of a message; a case copies each of them. */
static const uint32_t message_bytes[] = {4, 16, 32, 64, 96, 128, 192, 256};

static QueueHandle_t queue;
static uint8_t *message;

static size_t queue_bytes(const struct series *series) {
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
    (void)series;
    vPortFree(message);
    if (queue != NULL)
        vQueueDelete(queue);
}

/* Send, to a queue with room and nobody waiting. */

static bool receive_back(const struct series *series, uintptr_t sent) {
    (void)series;
    return sent == pdPASS && xQueueReceive(queue, message, 0) == pdPASS;
}

TIMED_CASE(queue_send, room, xQueueGenericSend, xQueueSend(queue, message, 0), LIBRARY,
           .condition = "room for one message, nobody waiting", .parameter = "message size",
           .unit = "byte", VALUES(message_bytes), .bytes = queue_bytes, .set_up = create_with_room,
           .after = receive_back, .tear_down = delete_queue)

/* Receive, from a queue that holds one message. */

static bool create_with_message(const struct series *series) {
    return create_with_room(series) && xQueueSend(queue, message, 0) == pdPASS;
}

static bool send_back(const struct series *series, uintptr_t received) {
    (void)series;
    return received == pdPASS && xQueueSend(queue, message, 0) == pdPASS;
}

TIMED_CASE(queue_receive, one_message, xQueueReceive, xQueueReceive(queue, message, 0), LIBRARY,
           .condition = "one message waiting, nobody else", .parameter = "message size",
           .unit = "byte", VALUES(message_bytes), .bytes = queue_bytes,
           .set_up = create_with_message, .after = send_back, .tear_down = delete_queue)
