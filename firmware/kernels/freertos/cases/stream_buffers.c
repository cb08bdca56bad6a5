/* Stream buffers and message buffers: bytes from one task to another. Each sample starts with an
 * empty buffer whose ends lie at its beginning, so that no copy wraps around. */
#include "stream_data.h"

/* Send. */

TIMED_CASE(stream_send, room, xStreamBufferSend, xStreamBufferSend(buffer, data, series->x, 0),
           LIBRARY, .condition = "empty, nobody waits", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large,
           .after = empty_buffer, .tear_down = delete_large)

TIMED_CASE(message_send, room, xStreamBufferSend, xMessageBufferSend(buffer, data, series->x, 0),
           LIBRARY, .condition = "empty, nobody waits", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large_messages,
           .after = empty_buffer, .tear_down = delete_large)

TIMED_CASE(stream_send_from_isr, room, xStreamBufferSendFromISR,
           xStreamBufferSendFromISR(buffer, data, series->x, &woken), FROM_ISR,
           .condition = "from an ISR; empty, nobody waits", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large,
           .after = empty_buffer, .tear_down = delete_large)

static bool create_full(const struct series *series) {
    return create_large(series) && xStreamBufferSend(buffer, data, LARGEST, 0) == LARGEST &&
           xStreamBufferSend(buffer, data, LARGE_CAPACITY - LARGEST, 0) == LARGE_CAPACITY - LARGEST;
}

TIMED_CASE(stream_send, full_no_wait, xStreamBufferSend, xStreamBufferSend(buffer, data, 4, 0),
           LIBRARY, .condition = "full, no wait", .bytes = large_bytes, .set_up = create_full,
           .after = is_zero, .tear_down = delete_large)

/* Receive. */

TIMED_CASE(stream_receive, all, xStreamBufferReceive,
           xStreamBufferReceive(buffer, data, series->x, 0), LIBRARY,
           .condition = "all that is there", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large_with_data,
           .after = send_data_back, .tear_down = delete_large)

TIMED_CASE(message_receive, one_message, xStreamBufferReceive,
           xMessageBufferReceive(buffer, data, LARGEST, 0), LIBRARY,
           .condition = "one message is there", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large_with_message,
           .after = send_data_back, .tear_down = delete_large)

TIMED_CASE(stream_receive, empty_no_wait, xStreamBufferReceive,
           xStreamBufferReceive(buffer, data, 4, 0), LIBRARY, .condition = "empty, no wait",
           .bytes = large_bytes, .set_up = create_large, .after = is_zero,
           .tear_down = delete_large)
