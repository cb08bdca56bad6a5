/* Stream buffers and message buffers: bytes from one task to another. Each sample starts with an
 * empty buffer whose ends lie at its beginning, so that no copy wraps around. */
#include "freertos_case.h"

#include "message_buffer.h"
#include "stream_buffer.h"

static const uint32_t sent_bytes[] = {4, 16, 32, 64, 96, 128, 192, 256};

enum { CAPACITY = 272, LARGEST = 256 };

static StreamBufferHandle_t buffer;
static uint8_t *data;

static size_t buffer_bytes(const struct series *series) {
    return BLOCK_BYTES(sizeof(StaticStreamBuffer_t) + CAPACITY + 1) + BLOCK_BYTES(LARGEST);
}

static bool fill_data(void) {
    data = pvPortMalloc(LARGEST);
    for (uint32_t i = 0; data != NULL && i < LARGEST; i++)
        data[i] = (uint8_t)i;
    return data != NULL && buffer != NULL;
}

static bool create_stream(const struct series *series) {
    buffer = xStreamBufferCreate(CAPACITY, 1);
    return fill_data();
}

static bool create_messages(const struct series *series) {
    buffer = xMessageBufferCreate(CAPACITY);
    return fill_data();
}

static void delete_buffer(const struct series *series) {
    vPortFree(data);
    vStreamBufferDelete(buffer);
}

/* Send. */

static bool empty_it(const struct series *series, uintptr_t sent) {
    return sent == series->x && xStreamBufferReset(buffer) == pdPASS;
}

TIMED_CASE(stream_send, room, xStreamBufferSend, xStreamBufferSend(buffer, data, series->x, 0),
           LIBRARY, .condition = "empty, nobody waits", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_stream, .after = empty_it,
           .tear_down = delete_buffer)

TIMED_CASE(message_send, room, xStreamBufferSend, xMessageBufferSend(buffer, data, series->x, 0),
           LIBRARY, .condition = "empty, nobody waits", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_messages, .after = empty_it,
           .tear_down = delete_buffer)

TIMED_CASE(stream_send_from_isr, room, xStreamBufferSendFromISR,
           xStreamBufferSendFromISR(buffer, data, series->x, &woken), FROM_ISR,
           .condition = "from an ISR; empty, nobody waits", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_stream, .after = empty_it,
           .tear_down = delete_buffer)

static bool create_full(const struct series *series) {
    return create_stream(series) && xStreamBufferSend(buffer, data, LARGEST, 0) == LARGEST &&
           xStreamBufferSend(buffer, data, CAPACITY - LARGEST, 0) == CAPACITY - LARGEST;
}

TIMED_CASE(stream_send, full_no_wait, xStreamBufferSend, xStreamBufferSend(buffer, data, 4, 0),
           LIBRARY, .condition = "full, no wait", .bytes = buffer_bytes, .set_up = create_full,
           .after = is_zero, .tear_down = delete_buffer)

/* Receive. */

static bool send_anew(const struct series *series) {
    return xStreamBufferReset(buffer) == pdPASS &&
           xStreamBufferSend(buffer, data, series->x, 0) == series->x;
}

static bool create_stream_with(const struct series *series) {
    return create_stream(series) && send_anew(series);
}

static bool create_messages_with(const struct series *series) {
    return create_messages(series) && send_anew(series);
}

static bool send_back(const struct series *series, uintptr_t received) {
    return received == series->x && send_anew(series);
}

TIMED_CASE(stream_receive, all, xStreamBufferReceive,
           xStreamBufferReceive(buffer, data, series->x, 0), LIBRARY,
           .condition = "all that is there", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_stream_with,
           .after = send_back, .tear_down = delete_buffer)

TIMED_CASE(message_receive, one_message, xStreamBufferReceive,
           xMessageBufferReceive(buffer, data, LARGEST, 0), LIBRARY,
           .condition = "one message is there", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_messages_with,
           .after = send_back, .tear_down = delete_buffer)

TIMED_CASE(stream_receive, empty_no_wait, xStreamBufferReceive,
           xStreamBufferReceive(buffer, data, 4, 0), LIBRARY, .condition = "empty, no wait",
           .bytes = buffer_bytes, .set_up = create_stream, .after = is_zero,
           .tear_down = delete_buffer)
