/* Stream and message buffers from an ISR, with nobody waiting. */
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

static bool send_anew(const struct series *series) {
    return xStreamBufferReset(buffer) == pdPASS &&
           xStreamBufferSend(buffer, data, series->x, 0) == series->x;
}

static bool send_back(const struct series *series, uintptr_t received) {
    return received == series->x && send_anew(series);
}

static bool empty_it(const struct series *series, uintptr_t sent) {
    return sent == series->x && xStreamBufferReset(buffer) == pdPASS;
}

static bool create_stream_with(const struct series *series) {
    return create_stream(series) && send_anew(series);
}

static bool create_messages_with(const struct series *series) {
    return create_messages(series) && send_anew(series);
}

TIMED_CASE(stream_receive_from_isr, all, xStreamBufferReceiveFromISR,
           xStreamBufferReceiveFromISR(buffer, data, series->x, &woken), FROM_ISR,
           .condition = "from an ISR; all that is there", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_stream_with,
           .after = send_back, .tear_down = delete_buffer)

TIMED_CASE(stream_receive_from_isr, empty, xStreamBufferReceiveFromISR,
           xStreamBufferReceiveFromISR(buffer, data, 4, &woken), FROM_ISR,
           .condition = "from an ISR; empty", .bytes = buffer_bytes, .set_up = create_stream,
           .after = is_zero, .tear_down = delete_buffer)

TIMED_CASE(message_send_from_isr, room, xStreamBufferSendFromISR,
           xMessageBufferSendFromISR(buffer, data, series->x, &woken), FROM_ISR,
           .condition = "from an ISR; empty, nobody waits", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_messages, .after = empty_it,
           .tear_down = delete_buffer)

TIMED_CASE(message_receive_from_isr, one_message, xStreamBufferReceiveFromISR,
           xMessageBufferReceiveFromISR(buffer, data, LARGEST, &woken), FROM_ISR,
           .condition = "from an ISR; one message is there", .parameter = "size", .unit = "byte",
           VALUES(sent_bytes), .bytes = buffer_bytes, .set_up = create_messages_with,
           .after = send_back, .tear_down = delete_buffer)
