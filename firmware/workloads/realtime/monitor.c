/* The monitor: starts the threads of a batch, sleeps until the buffer is full or the time is over,
 * and ends them. It is the harness's own thread and outranks them all, so none runs before all are
 * there. */
#include "realtime.h"

static struct port_semaphore full;

void batch_is_full(void) {
    port_give(&full);
}

#ifdef PORT_INTERRUPTS
void batch_is_full_from_isr(void) {
    port_give_from_isr(&full);
}
#endif

const struct indicator *indicator_at(uint8_t id) {
    static const struct indicator *const all[] = {
        [SWITCHING] = &switching, [PREEMPTION] = &preemption, [INTERRUPT] = &interrupt,
        [SHUFFLING] = &shuffling, [HARDWARE] = &hardware,     [WAKE_UP] = &wake_up};
    return id < sizeof all / sizeof all[0] ? all[id] : NULL;
}

static struct outcome refused(enum wire_reason reason, uint32_t a, uint32_t b) {
    return (struct outcome){reason, a, b, 0};
}

static struct outcome check(const struct batch *batch) {
    const struct indicator *indicator = indicator_at(batch->indicator);
    if (indicator == NULL || indicator->unavailable != NULL)
        return refused(REFUSED_INDICATOR, batch->indicator, 0);
    if (batch->length == 0 || batch->load_percent > 100 || batch->placement >= PLACEMENTS)
        return refused(REFUSED_VALUE, batch->length == 0 ? 0 : batch->load_percent, 0);
    if (batch->length > SAMPLE_CAPACITY)
        return refused(REFUSED_BUFFER, batch->length, SAMPLE_CAPACITY);
    return refused(REFUSED_NOTHING, 0, 0);
}

/* Extra tasks that are part of the test, and not beside it. */
static bool ring_has_extras(const struct batch *batch) {
    return batch->indicator == SWITCHING && batch->placement == READY_EQUAL;
}

/* The test, the load, and then as many extra tasks as were asked for, if the memory has room. */
static struct outcome start(const struct batch *batch) {
    const struct indicator *indicator = indicator_at(batch->indicator);
    uint32_t needed = RESERVE_BYTES + batch->extra_tasks * port_task_bytes(EXTRA_STACK);
    if (!port_create(&full, 0) || !load_start(batch))
        return refused(REFUSED_SET_UP, 0, 0);
    uint32_t available = kernel_free_bytes();
    if (needed > available)
        return refused(REFUSED_HEAP, needed, available);
    if (!indicator->start(batch) ||
        (!ring_has_extras(batch) && !extra_start(batch, indicator->rank)))
        return refused(REFUSED_SET_UP, 0, 0);
    return refused(REFUSED_NOTHING, 0, 0);
}

static void end(const struct batch *batch) {
    indicator_at(batch->indicator)->stop();
    extra_stop();
    load_stop();
    port_delete(&full);
}

void batch_began(void) __attribute__((noinline));
void batch_ended(void) __attribute__((noinline));

/* Where the lab's instruments begin and end to look. */
void batch_began(void) {
    __asm volatile("");
}
void batch_ended(void) {
    __asm volatile("");
}

struct outcome batch_run(const struct batch *batch) {
    struct outcome outcome = check(batch);
    if (outcome.refused != REFUSED_NOTHING)
        return outcome;
    samples_reset(batch->length);
    outcome = start(batch);
    if (outcome.refused == REFUSED_NOTHING) {
        uint32_t began = kernel_ticks();
        batch_began();
        port_take_within(&full, port_ticks_of_ms(batch->limit_ms));
        batch_ended();
        outcome.ticks = kernel_ticks() - began;
    }
    end(batch);
    return outcome;
}

struct outcome batch_room(const struct batch *batch, struct room *room) {
    struct batch bare = *batch;
    bare.extra_tasks = 0;
    bare.length = 1;
    struct outcome outcome = check(&bare);
    if (outcome.refused != REFUSED_NOTHING)
        return outcome;
    samples_reset(bare.length);
    outcome = start(&bare);
    *room = (struct room){RESERVE_BYTES, port_task_bytes(EXTRA_STACK), kernel_free_bytes()};
    end(&bare);
    return outcome;
}
