/* The agent of an image with cases: runs series of them. */
#include "agent.h"

static void describe(const struct wire_request *request) {
    uint16_t index = wire_get16(request->body);
    if (index >= case_count()) {
        refuse(request->sequence, REFUSED_CASE, case_count(), 0);
        return;
    }
    CONSTANT struct timed_case *timed = CASE_AT(index);
    begin_answer(request);
    wire_put16(index);
    wire_put8(timed->flags);
    CONSTANT struct domain *domain = timed->domain;
    wire_put32(domain ? domain->first : 0);
    wire_put32(domain ? domain->last : 0);
    wire_put32(domain ? domain->step : 0);
    wire_put_constant(TEXT_OF(timed->name));
    wire_put_constant(TEXT_OF(timed->call));
    wire_put_constant(TEXT_OF(timed->callee));
    wire_put_constant(TEXT_OF(timed->condition));
    wire_put_constant(TEXT_OF(timed->library));
    wire_put_constant(TEXT_OF(timed->parameter));
    wire_put_constant(TEXT_OF(timed->unit));
    wire_put_constant(TEXT_OF(timed->function_class));
}

static void run(const struct wire_request *request) {
    const uint8_t *body = request->body;
    uint16_t index = wire_get16(body);
    if (index >= case_count()) {
        refuse(request->sequence, REFUSED_CASE, case_count(), 0);
        return;
    }
    struct series_outcome outcome = series_run(&(struct series_request){
        .timed_case = CASE_AT(index),
        .length = wire_get16(body + 2),
        .x = wire_get32(body + 4),
        .empty = body[8] & (OPTION_EMPTY | OPTION_PAIR),
        .pair = body[8] & OPTION_PAIR,
        .unplaced = body[8] & OPTION_UNPLACED,
        .delay = wire_get32(body + 9),
    });
    if (outcome.refused != REFUSED_NOTHING) {
        refuse(request->sequence, outcome.refused, outcome.a, outcome.b);
        if (outcome.refused == REFUSED_SYSTEM)
            wire_put_constant(outcome.call);
        return;
    }
    begin_answer(request);
    wire_put16(series_count());
}

static void samples(const struct wire_request *request) {
    uint16_t offset = wire_get16(request->body);
    uint16_t count = wire_get16(request->body + 2);
    if (count > WIRE_MAX_SAMPLES || (int32_t)offset + count > series_count()) {
        refuse(request->sequence, REFUSED_SAMPLES, series_count(), 0);
        return;
    }
    begin_answer(request);
    wire_put16(offset);
    wire_put16(count);
    wire_put_bytes(series_samples() + offset * WIRE_SAMPLE_BYTES, count * WIRE_SAMPLE_BYTES);
}

static const struct service services[] = {
    {WIRE_HELLO, 0, hello},
    {WIRE_DESCRIBE, 2, describe},
    {WIRE_RUN, 13, run},
    {WIRE_SAMPLES, 4, samples},
};

void agent_serve(void) {
    serve_for_ever(services, sizeof services / sizeof services[0]);
}
