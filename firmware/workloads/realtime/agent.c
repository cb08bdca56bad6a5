/* The agent of an image that measures real-time figures: calibrates, runs batches, and
 * reports its make. */
#include "../../harness/agent.h"

#include "realtime.h"

static void text(const struct wire_request *request, uint8_t count, uint8_t value,
                 const char *words) {
    begin_answer(request);
    wire_put8(count);
    wire_put8(value);
    wire_put_string(words);
}

static void tell_indicator(const struct wire_request *request, uint8_t index) {
    const struct indicator *one = indicator_at(index);
    text(request, WAKE_UP + 1, one->unavailable == NULL, one->unavailable);
}

static void tell_facility(const struct wire_request *request, uint8_t index) {
    const struct facility *one = &facilities[index];
    text(request, facility_count, one->holds, one->name);
}

static void tell_remark(const struct wire_request *request, uint8_t index) {
    text(request, port_remark_count(), 0, port_remark(index));
}

static void tell_arithmetic(const struct wire_request *request, uint8_t index) {
    (void)index;
    text(request, 1, sizeof(double), calibration_arithmetic);
}

/* About: what, index. An index that is not there is answered by the count and no words. */
static void about(const struct wire_request *request) {
    const struct {
        uint8_t count;
        void (*tell)(const struct wire_request *, uint8_t);
    } all[] = {{WAKE_UP + 1, tell_indicator},
               {facility_count, tell_facility},
               {port_remark_count(), tell_remark},
               {1, tell_arithmetic}};
    uint8_t what = request->body[0], index = request->body[1];
    if (what >= sizeof all / sizeof all[0])
        refuse(request->sequence, REFUSED_VALUE, what, 0);
    else if (index >= all[what].count)
        text(request, all[what].count, 0, NULL);
    else
        all[what].tell(request, index);
}

static bool is_refused(const struct wire_request *request, const struct outcome *outcome) {
    if (outcome->refused == REFUSED_NOTHING)
        return false;
    refuse(request->sequence, outcome->refused, outcome->a, outcome->b);
    return true;
}

static void serve_calibrate(const struct wire_request *request) {
    const uint8_t *body = request->body;
    struct outcome outcome = calibrate(body[0], body[1] != 0, wire_get16(body + 2));
    if (is_refused(request, &outcome))
        return;
    begin_answer(request);
    wire_put16(samples_count());
}

static struct batch batch_in(const uint8_t *body) {
    return (struct batch){.indicator = body[0],
                          .load_percent = body[1],
                          .load_kind = body[2],
                          .placement = body[3],
                          .extra_tasks = wire_get16(body + 4),
                          .length = wire_get16(body + 6),
                          .seed = wire_get32(body + 8),
                          .limit_ms = wire_get32(body + 12)};
}

static void serve_batch(const struct wire_request *request) {
    struct batch batch = batch_in(request->body);
    struct outcome outcome = batch_run(&batch);
    if (is_refused(request, &outcome))
        return;
    begin_answer(request);
    wire_put16(samples_count());
    wire_put32(outcome.ticks);
    wire_put16(outcome.load);
    wire_put8(facility_count);
    for (uint8_t i = 0; i < facility_count; i++)
        wire_put32(facility_calls[i]);
}

static void serve_room(const struct wire_request *request) {
    struct batch batch = batch_in(request->body);
    struct room room;
    struct outcome outcome = batch_room(&batch, &room);
    if (is_refused(request, &outcome))
        return;
    begin_answer(request);
    wire_put32(room.fixed_bytes);
    wire_put32(room.task_bytes);
    wire_put32(room.free_bytes);
}

static void drain(const struct wire_request *request) {
    uint16_t offset = wire_get16(request->body);
    uint16_t count = wire_get16(request->body + 2);
    if (count > WIRE_MAX_SAMPLES || offset + count > samples_count()) {
        refuse(request->sequence, REFUSED_SAMPLES, samples_count(), 0);
        return;
    }
    begin_answer(request);
    wire_put16(offset);
    wire_put16(count);
    samples_put(offset, count);
}

static const struct service services[] = {
    {WIRE_HELLO, 0, hello},        {WIRE_SAMPLES, 4, drain},
    {WIRE_ABOUT, 2, about},        {WIRE_CALIBRATE, 4, serve_calibrate},
    {WIRE_BATCH, 16, serve_batch}, {WIRE_CAPACITY, 16, serve_room},
};

void agent_serve(void) {
    serve_for_ever(services, sizeof services / sizeof services[0]);
}
