/* Stream and message buffers: created, deleted, reset; what another core would call. */
#include "stream_case.h"

/* Create: as many as the series is long. */

CREATED(buffer_bytes(series), vStreamBufferDelete(one))

TIMED_CASE(stream_create, one_more, xStreamBufferGenericCreate, xStreamBufferCreate(CAPACITY, 1),
           LIBRARY, .condition = "16 bytes, after those created before it",
           .flags = CASE_LENGTH_IS_LOAD, .bytes = created_bytes, .set_up = create_none,
           .after = has_created, .tear_down = delete_created)

TIMED_CASE(message_create, one_more, xStreamBufferGenericCreate, xMessageBufferCreate(CAPACITY),
           LIBRARY, .condition = "16 bytes, after those created before it",
           .flags = CASE_LENGTH_IS_LOAD, .bytes = created_bytes, .set_up = create_none,
           .after = has_created, .tear_down = delete_created)

/* Delete. */

DELETED(buffer_bytes(series), xStreamBufferCreate(CAPACITY, 1), vStreamBufferDelete(object))

TIMED_ACTION(stream_delete, empty, vStreamBufferDelete, vStreamBufferDelete(object), LIBRARY,
             .condition = "empty; heap_4, neighbours in use", .bytes = object_bytes,
             .set_up = create_object, .after = create_object_again, .tear_down = delete_object)

/* Reset. */

TIMED_CASE(stream_reset, nobody_waits, xStreamBufferReset, xStreamBufferReset(buffer), LIBRARY,
           .condition = "nobody waits", .bytes = buffer_bytes, .set_up = create_buffer,
           .after = is_true, .tear_down = delete_buffer)

TIMED_CASE(stream_reset_from_isr, nobody_waits, xStreamBufferResetFromISR,
           xStreamBufferResetFromISR(buffer), FROM_ISR, .condition = "from an ISR; nobody waits",
           .bytes = buffer_bytes, .set_up = create_buffer, .after = is_true,
           .tear_down = delete_buffer)

/* Functions for a port whose other core has sent or received. */

TIMED_CASE(stream_send_completed_from_isr, nobody_waits, xStreamBufferSendCompletedFromISR,
           xStreamBufferSendCompletedFromISR(buffer, &woken), FROM_ISR,
           .condition = "from an ISR; nobody waits", .bytes = buffer_bytes, .set_up = create_buffer,
           .after = is_zero, .tear_down = delete_buffer)

TIMED_CASE(stream_receive_completed_from_isr, nobody_waits, xStreamBufferReceiveCompletedFromISR,
           xStreamBufferReceiveCompletedFromISR(buffer, &woken), FROM_ISR,
           .condition = "from an ISR; nobody waits", .bytes = buffer_bytes, .set_up = create_buffer,
           .after = is_zero, .tear_down = delete_buffer)
