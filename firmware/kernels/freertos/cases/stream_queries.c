/* Queries of stream buffers, and their trigger level; the same of message buffers. */
#include "stream_case.h"

enum { HELD = 4 };

static uint32_t word;

static bool create_holding(const struct series *series) {
    return create_buffer(series) && xStreamBufferSend(buffer, &word, HELD, 0) == HELD;
}

static bool create_full(const struct series *series) {
    if (!create_buffer(series))
        return false;
    while (xStreamBufferSend(buffer, &word, HELD, 0) == HELD)
        ;
    return true;
}

static bool create_message(const struct series *series) {
    return create_message_buffer(series) && xMessageBufferSend(buffer, &word, HELD, 0) == HELD;
}

/* Ask. */

static bool is_held(const struct series *series, uintptr_t bytes) {
    return bytes == HELD;
}

static bool is_rest(const struct series *series, uintptr_t bytes) {
    return bytes == CAPACITY - HELD;
}

TIMED_CASE(stream_bytes, some, xStreamBufferBytesAvailable, xStreamBufferBytesAvailable(buffer),
           LIBRARY, .condition = "4 of 16 bytes are there", .bytes = buffer_bytes,
           .set_up = create_holding, .after = is_held, .tear_down = delete_buffer)

TIMED_CASE(stream_spaces, some, xStreamBufferSpacesAvailable, xStreamBufferSpacesAvailable(buffer),
           LIBRARY, .condition = "4 of 16 bytes are there", .bytes = buffer_bytes,
           .set_up = create_holding, .after = is_rest, .tear_down = delete_buffer)

TIMED_CASE(stream_is_empty, empty, xStreamBufferIsEmpty, xStreamBufferIsEmpty(buffer), LIBRARY,
           .condition = "empty", .bytes = buffer_bytes, .set_up = create_buffer, .after = is_true,
           .tear_down = delete_buffer)

TIMED_CASE(stream_is_full, full, xStreamBufferIsFull, xStreamBufferIsFull(buffer), LIBRARY,
           .condition = "full", .bytes = buffer_bytes, .set_up = create_full, .after = is_true,
           .tear_down = delete_buffer)

TIMED_CASE(message_next_length, one_message, xStreamBufferNextMessageLengthBytes,
           xMessageBufferNextLengthBytes(buffer), LIBRARY, .condition = "one message is there",
           .bytes = buffer_bytes, .set_up = create_message, .after = is_held,
           .tear_down = delete_buffer)

/* Set the trigger level and the index of the notification. */

TIMED_CASE(stream_set_trigger, empty, xStreamBufferSetTriggerLevel,
           xStreamBufferSetTriggerLevel(buffer, HELD), LIBRARY, .condition = "empty",
           .bytes = buffer_bytes, .set_up = create_buffer, .after = is_true,
           .tear_down = delete_buffer)

TIMED_CASE(stream_get_index, empty, uxStreamBufferGetStreamBufferNotificationIndex,
           uxStreamBufferGetStreamBufferNotificationIndex(buffer), LIBRARY, .condition = "empty",
           .bytes = buffer_bytes, .set_up = create_buffer, .after = is_zero,
           .tear_down = delete_buffer)

TIMED_ACTION(stream_set_index, empty, vStreamBufferSetStreamBufferNotificationIndex,
             vStreamBufferSetStreamBufferNotificationIndex(buffer, 0), LIBRARY,
             .condition = "empty", .bytes = buffer_bytes, .set_up = create_buffer,
             .tear_down = delete_buffer)
