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
    return (struct outcome){.refused = reason, .a = a, .b = b};
}

static struct outcome check(const struct batch *batch) {
    const struct indicator *indicator = indicator_at(batch->indicator);
    if (indicator == NULL || indicator->unavailable != NULL)
        return refused(REFUSED_INDICATOR, batch->indicator, 0);
    if (batch->length == 0 || batch->load_percent > 100 || batch->load_kind >= LOAD_KINDS ||
        batch->placement >= PLACEMENTS)
        return refused(REFUSED_VALUE, batch->length == 0 ? 0 : batch->load_percent, 0);
    if (batch->length > SAMPLE_CAPACITY)
        return refused(REFUSED_BUFFER, batch->length, SAMPLE_CAPACITY);
    return refused(REFUSED_NOTHING, 0, 0);
}

/* Extra tasks that are part of the test, and not beside it. */
static bool ring_has_extras(const struct batch *batch) {
    return batch->indicator == SWITCHING && batch->placement == READY_EQUAL;
}

static struct room room_of(const struct batch *batch) {
    uint32_t of_ring = ring_has_extras(batch) ? TEST_THREADS * ring_thread_bytes() : 0;
    uint32_t of_task = ring_has_extras(batch) ? ring_thread_bytes() : port_task_bytes(EXTRA_STACK);
    return (struct room){RESERVE_BYTES + of_ring, of_task, kernel_free_bytes()};
}

static bool start_test_and_load(const struct batch *batch) {
    return port_create(&full, 0) && load_start(batch) &&
           (ring_has_extras(batch) || indicator_at(batch->indicator)->start(batch));
}

/* The test, the load, and then as many extra tasks as were asked for, if the memory has space. */
static struct outcome start(const struct batch *batch, struct room *room) {
    if (!start_test_and_load(batch))
        return refused(REFUSED_SET_UP, 0, 0);
    *room = room_of(batch);
    uint64_t needed = room->fixed_bytes + (uint64_t)batch->extra_tasks * room->task_bytes;
    if (needed > room->free_bytes)
        return refused(REFUSED_HEAP, needed < UINT32_MAX ? (uint32_t)needed : UINT32_MAX,
                       room->free_bytes);
    const struct indicator *indicator = indicator_at(batch->indicator);
    if (ring_has_extras(batch) ? !indicator->start(batch) : !extra_start(batch, indicator->rank))
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
    port_outrank();
    samples_reset(batch->length);
    struct room room;
    outcome = start(batch, &room);
    if (outcome.refused == REFUSED_NOTHING) {
        uint32_t began = kernel_ticks();
        load_begin();
        batch_began();
        port_take_within(&full, port_ticks_of_ms(batch->limit_ms));
        batch_ended();
        samples_close();
        outcome.load = load_end();
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
    port_outrank();
    samples_reset(bare.length);
    outcome = start(&bare, room);
    end(&bare);
    return outcome;
}
