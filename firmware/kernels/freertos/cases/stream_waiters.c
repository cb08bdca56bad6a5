/* Stream buffers with a task waiting to receive. Each sample starts with the buffer's ends where
 * they were after its creation. */
#include "stream_case.h"

enum { SENT = 4 };

static uint32_t sent, received[CAPACITY / sizeof(uint32_t)];

/* Send, to a task that waits for the bytes. */

static void receive_below(void *unused) {
    for (;;) {
        xStreamBufferReceive(buffer, received, SENT, portMAX_DELAY);
        xStreamBufferReset(buffer);
    }
}

static bool create_receiver(const struct series *series) {
    return create_buffer(series) && start_waiter_below(receive_below);
}

static bool receive_again(const struct series *series, uintptr_t bytes) {
    run_and_lower(partner);
    return bytes == SENT && xStreamBufferIsEmpty(buffer) == pdTRUE;
}

TIMED_CASE(stream_send, wakes_lower, xStreamBufferSend, xStreamBufferSend(buffer, &sent, SENT, 0),
           LIBRARY, .condition = "4 bytes, a task of lower priority waits for one",
           .bytes = buffer_and_partner_bytes, .set_up = create_receiver, .after = receive_again,
           .tear_down = delete_buffer_and_partner)

static void receive_above(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    for (;;) {
        xStreamBufferReceive(buffer, received, SENT, portMAX_DELAY);
        MOVED_PROBE(timer, "stream_send.wakes_higher");
        xStreamBufferReset(buffer);
    }
}

static bool create_receiver_above(const struct series *series) {
    return create_buffer(series) && start_partner(receive_above, PRIORITY_WOKEN);
}

static bool has_sent(const struct series *series, uintptr_t bytes) {
    return bytes == SENT;
}

TIMED_CASE(stream_send, wakes_higher, xStreamBufferSend, xStreamBufferSend(buffer, &sent, SENT, 0),
           LIBRARY, .condition = "4 bytes, a task of higher priority waits for one",
           .flags = CASE_MOVES, .bytes = buffer_and_partner_bytes, .set_up = create_receiver_above,
           .after = has_sent, .tear_down = delete_buffer_and_partner)

static void receive_for_isr(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    for (;;) {
        xStreamBufferReceive(buffer, received, SENT, portMAX_DELAY);
        MOVED_PROBE(timer, "stream_send_from_isr.wakes_higher");
        xStreamBufferReset(buffer);
    }
}

static bool create_receiver_for_isr(const struct series *series) {
    return create_buffer(series) && start_partner(receive_for_isr, PRIORITY_WOKEN);
}

TIMED_CASE(stream_send_from_isr, wakes_higher, xStreamBufferSendFromISR,
           xStreamBufferSendFromISR(buffer, &sent, SENT, &woken), LIBRARY,
           .condition = "from an ISR that ends with a switch to the waiting task; 4 bytes",
           .flags = CASE_INTERRUPT | CASE_MOVES, .bytes = buffer_and_partner_bytes,
           .set_up = create_receiver_for_isr, .after = has_sent,
           .tear_down = delete_buffer_and_partner)

/* Send less than the trigger level: the task goes on waiting. */

static bool create_high_trigger(const struct series *series) {
    buffer = xStreamBufferCreate(CAPACITY, CAPACITY);
    return buffer != NULL && start_partner(receive_below, PRIORITY_WOKEN);
}

static bool end_wait_once(const struct series *series, uintptr_t bytes) {
    /* It takes out what is there, resets the buffer, and waits again. */
    return bytes == SENT && xTaskAbortDelay(partner) == pdPASS &&
           xStreamBufferIsEmpty(buffer) == pdTRUE;
}

TIMED_CASE(stream_send, below_trigger, xStreamBufferSend, xStreamBufferSend(buffer, &sent, SENT, 0),
           LIBRARY, .condition = "4 bytes, a task waits for 16", .bytes = buffer_and_partner_bytes,
           .set_up = create_high_trigger, .after = end_wait_once,
           .tear_down = delete_buffer_and_partner)
