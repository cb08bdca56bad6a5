/* Stream and message buffers at their limits: over the end of the storage, no space, no message. */
#include "stream_case.h"

enum { SENT = 4, BEFORE_END = CAPACITY + 1 - SENT / 2 };

static uint8_t data[CAPACITY];

/* Send and receive over the end: in two pieces. */

static bool go_to_end(void) {
    return xStreamBufferReset(buffer) == pdPASS &&
           xStreamBufferSend(buffer, data, BEFORE_END, 0) == BEFORE_END &&
           xStreamBufferReceive(buffer, data, BEFORE_END, 0) == BEFORE_END;
}

static bool create_at_end(const struct series *series) {
    return create_buffer(series) && go_to_end();
}

static bool go_back(const struct series *series, uintptr_t bytes) {
    return bytes == SENT && go_to_end();
}

TIMED_CASE(stream_send, over_end, xStreamBufferSend, xStreamBufferSend(buffer, data, SENT, 0),
           LIBRARY, .condition = "4 bytes, two of them behind the end of the storage",
           .bytes = buffer_bytes, .set_up = create_at_end, .after = go_back,
           .tear_down = delete_buffer)

static bool send_over_end(void) {
    return xStreamBufferSend(buffer, data, SENT, 0) == SENT;
}

static bool create_over_end(const struct series *series) {
    return create_at_end(series) && send_over_end();
}

static bool send_back(const struct series *series, uintptr_t bytes) {
    return go_back(series, bytes) && send_over_end();
}

TIMED_CASE(stream_receive, over_end, xStreamBufferReceive,
           xStreamBufferReceive(buffer, data, SENT, 0), LIBRARY,
           .condition = "4 bytes, two of them behind the end of the storage", .bytes = buffer_bytes,
           .set_up = create_over_end, .after = send_back, .tear_down = delete_buffer)

/* Messages are sent and received whole, or not at all. */

TIMED_CASE(message_send, no_room, xStreamBufferSend, xMessageBufferSend(buffer, data, CAPACITY, 0),
           LIBRARY, .condition = "a message that never fits, no wait", .bytes = buffer_bytes,
           .set_up = create_message_buffer, .after = is_zero, .tear_down = delete_buffer)

TIMED_CASE(message_receive, none_no_wait, xStreamBufferReceive,
           xMessageBufferReceive(buffer, data, SENT, 0), LIBRARY, .condition = "none, no wait",
           .bytes = buffer_bytes, .set_up = create_message_buffer, .after = is_zero,
           .tear_down = delete_buffer)

static bool create_with_message(const struct series *series) {
    return create_message_buffer(series) && xMessageBufferSend(buffer, data, SENT, 0) == SENT;
}

TIMED_CASE(message_receive, too_long, xStreamBufferReceive,
           xMessageBufferReceive(buffer, data, SENT - 1, 0), LIBRARY,
           .condition = "a message longer than the receiver's space", .bytes = buffer_bytes,
           .set_up = create_with_message, .after = is_zero, .tear_down = delete_buffer)
