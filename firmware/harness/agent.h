/* Every agent greets, refuses, answers each request of the host once, and repeats its
 * last answer when asked (docs/reference/wire.md). Each image has one agent, which says what else
 * it serves.
 */
#ifndef AGENT_H
#define AGENT_H

#include "board.h"
#include "harness.h"
#include "kernel.h"

struct service {
    uint8_t kind, length;
    void (*serve)(const struct wire_request *);
};

static uint16_t case_count(void) {
    return (uint16_t)(cases_end - cases_begin);
}

static void refuse(uint16_t sequence, enum wire_reason reason, uint32_t a, uint32_t b) {
    wire_begin(WIRE_REFUSED, sequence);
    wire_put8((uint8_t)reason);
    wire_put32(a);
    wire_put32(b);
}

static void begin_answer(const struct wire_request *request) {
    wire_begin(request->kind | WIRE_ANSWER, request->sequence);
}

static void hello(const struct wire_request *request) {
    begin_answer(request);
    wire_put16(case_count());
    wire_put16(SAMPLE_CAPACITY);
    wire_put32(BOARD_CORE_HZ);
    wire_put32(TIMER_HZ);
    wire_put32(KERNEL_TICK_HZ);
    wire_put32(kernel_free_bytes());
    wire_put_string(BOARD_NAME);
    wire_put_string(KERNEL_NAME);
    wire_put_string(TIMER_NAME);
    wire_put_string(BUILD_NAME);
}

static void serve(const struct service *services, size_t count,
                  const struct wire_request *request) {
    if (request->version != WIRE_VERSION) {
        refuse(request->sequence, REFUSED_VERSION, WIRE_VERSION, 0);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (services[i].kind != request->kind)
            continue;
        if (services[i].length == request->length)
            services[i].serve(request);
        else
            refuse(request->sequence, REFUSED_BODY, request->length, 0);
        return;
    }
    refuse(request->sequence, REFUSED_REQUEST, request->kind, 0);
}

__attribute__((noreturn)) static void serve_for_ever(const struct service *services, size_t count) {
    bool answered = false;
    uint16_t sequence = 0;
    board_send(0); /* an empty frame: from here on the target listens */
    for (;;) {
        struct wire_request request;
        wire_receive(&request);
        if (answered && request.sequence == sequence && request.kind != WIRE_HELLO) {
            wire_send();
            continue;
        }
        serve(services, count, &request);
        wire_finish();
        answered = true;
        sequence = request.sequence;
    }
}

#endif
