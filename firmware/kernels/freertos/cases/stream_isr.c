/* Stream and message buffers from an ISR, with nobody waiting. */
#include "stream_data.h"

TIMED_CASE(stream_receive_from_isr, all, xStreamBufferReceiveFromISR,
           xStreamBufferReceiveFromISR(buffer, data, series->x, &woken), FROM_ISR,
           .condition = "from an ISR; all that is there", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large_with_data,
           .after = send_data_back, .tear_down = delete_large)

TIMED_CASE(stream_receive_from_isr, empty, xStreamBufferReceiveFromISR,
           xStreamBufferReceiveFromISR(buffer, data, 4, &woken), FROM_ISR,
           .condition = "from an ISR; empty", .bytes = large_bytes, .set_up = create_large,
           .after = is_zero, .tear_down = delete_large)

TIMED_CASE(message_send_from_isr, room, xStreamBufferSendFromISR,
           xMessageBufferSendFromISR(buffer, data, series->x, &woken), FROM_ISR,
           .condition = "from an ISR; empty, nobody waits", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large_messages,
           .after = empty_buffer, .tear_down = delete_large)

TIMED_CASE(message_receive_from_isr, one_message, xStreamBufferReceiveFromISR,
           xMessageBufferReceiveFromISR(buffer, data, LARGEST, &woken), FROM_ISR,
           .condition = "from an ISR; one message is there", .parameter = "size", .unit = "byte",
           X_FROM_TO(4, LARGEST), .bytes = large_bytes, .set_up = create_large_with_message,
           .after = send_data_back, .tear_down = delete_large)
