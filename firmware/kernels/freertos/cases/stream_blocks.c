/* Stream buffers with the caller waiting, or a task waiting to send. Each sample starts with the
 * buffer's ends where they were after its creation. */
#include "stream_case.h"

enum { SENT = 4 };

static uint32_t sent, received[CAPACITY / sizeof(uint32_t)];

static bool fill(void) {
    while (xStreamBufferSend(buffer, &sent, SENT, 0) == SENT)
        ;
    return xStreamBufferIsFull(buffer) == pdTRUE;
}

static bool fill_anew(const struct series *series, uintptr_t bytes) {
    return bytes == SENT && xStreamBufferReset(buffer) == pdPASS && fill();
}

/* Send to a full buffer, and wait: the call ends in the task below, whose call makes space. */

RETURNS_FROM(make_room, "stream_send.blocks", xStreamBufferReceive(buffer, received, SENT, 0))

static bool create_full_and_start_below(const struct series *series) {
    return create_buffer(series) && fill() && start_partner(make_room, PRIORITY_LOAD) &&
           fill_anew(series, xStreamBufferSend(buffer, &sent, SENT, portMAX_DELAY));
}

TIMED_CASE(stream_send, blocks, xStreamBufferSend,
           xStreamBufferSend(buffer, &sent, SENT, portMAX_DELAY), LIBRARY,
           .condition = "4 bytes, full: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = buffer_and_partner_bytes,
           .set_up = create_full_and_start_below, .after = fill_anew,
           .tear_down = delete_buffer_and_partner)

/* Receive from an empty buffer, and wait: the call ends in the task below. */

RETURNS_FROM(end_wait, "stream_receive.blocks", xTaskAbortDelay(caller))

static bool create_and_start_below(const struct series *series) {
    return create_buffer(series) && start_partner_below(end_wait);
}

TIMED_CASE(stream_receive, blocks, xStreamBufferReceive,
           xStreamBufferReceive(buffer, received, SENT, portMAX_DELAY), LIBRARY,
           .condition = "empty: waits; a task of lower priority goes on", .flags = CASE_MOVES,
           .bytes = buffer_and_partner_bytes, .set_up = create_and_start_below, .after = is_zero,
           .tear_down = delete_buffer_and_partner)

/* Receive, with a task of lower priority waiting to send: it becomes ready. */

static void send_below(void *unused) {
    for (;;) {
        fill();
        xStreamBufferSend(buffer, &sent, SENT, portMAX_DELAY);
        xStreamBufferReset(buffer);
    }
}

static bool create_sender(const struct series *series) {
    return create_buffer(series) && start_waiter_below(send_below);
}

static bool send_again(const struct series *series, uintptr_t bytes) {
    run_and_lower(partner);
    return bytes == CAPACITY && xStreamBufferIsFull(buffer) == pdTRUE;
}

TIMED_CASE(stream_receive, wakes_sender, xStreamBufferReceive,
           xStreamBufferReceive(buffer, received, CAPACITY, 0), LIBRARY,
           .condition = "16 bytes, full, a task of lower priority waits to send",
           .bytes = buffer_and_partner_bytes, .set_up = create_sender, .after = send_again,
           .tear_down = delete_buffer_and_partner)
