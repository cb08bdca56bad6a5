/* The agent: answers each request of the host once, and repeats its last answer when asked. */
#include "board.h"
#include "harness.h"
#include "kernel.h"

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

static void describe(const struct wire_request *request) {
    uint16_t index = wire_get16(request->body);
    if (index >= case_count()) {
        refuse(request->sequence, REFUSED_CASE, case_count(), 0);
        return;
    }
    const struct timed_case *timed = cases_begin[index];
    begin_answer(request);
    wire_put16(index);
    wire_put8(timed->flags);
    wire_put8(timed->value_count);
    for (uint8_t i = 0; i < timed->value_count; i++)
        wire_put32(timed->values[i]);
    wire_put_string(timed->name);
    wire_put_string(timed->call);
    wire_put_string(timed->callee);
    wire_put_string(timed->condition);
    wire_put_string(timed->library);
    wire_put_string(timed->parameter);
    wire_put_string(timed->unit);
}

static void run(const struct wire_request *request) {
    const uint8_t *body = request->body;
    uint16_t index = wire_get16(body);
    if (index >= case_count()) {
        refuse(request->sequence, REFUSED_CASE, case_count(), 0);
        return;
    }
    struct series_outcome outcome = series_run(&(struct series_request){
        .timed_case = cases_begin[index],
        .length = wire_get16(body + 2),
        .x = wire_get32(body + 4),
        .empty = body[8] & OPTION_EMPTY,
        .unplaced = body[8] & OPTION_UNPLACED,
        .delay = wire_get32(body + 9),
    });
    if (outcome.refused != REFUSED_NOTHING) {
        refuse(request->sequence, outcome.refused, outcome.a, outcome.b);
        return;
    }
    begin_answer(request);
    wire_put16(series_count());
}

static void samples(const struct wire_request *request) {
    uint16_t offset = wire_get16(request->body);
    uint16_t count = wire_get16(request->body + 2);
    if (count > WIRE_MAX_SAMPLES || offset + count > series_count()) {
        refuse(request->sequence, REFUSED_SAMPLES, series_count(), 0);
        return;
    }
    begin_answer(request);
    wire_put16(offset);
    wire_put16(count);
    wire_put_bytes(series_samples() + offset * WIRE_SAMPLE_BYTES, count * WIRE_SAMPLE_BYTES);
}

static const struct {
    uint8_t kind, length;
    void (*serve)(const struct wire_request *);
} services[] = {
    {WIRE_HELLO, 0, hello},
    {WIRE_DESCRIBE, 2, describe},
    {WIRE_RUN, 13, run},
    {WIRE_SAMPLES, 4, samples},
};

static void serve(const struct wire_request *request) {
    if (request->version != WIRE_VERSION) {
        refuse(request->sequence, REFUSED_VERSION, WIRE_VERSION, 0);
        return;
    }
    for (size_t i = 0; i < sizeof services / sizeof services[0]; i++) {
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

void agent_serve(void) {
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
        serve(&request);
        wire_finish();
        answered = true;
        sequence = request.sequence;
    }
}
