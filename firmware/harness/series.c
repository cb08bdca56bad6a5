/* Runs one series: set-up, as many timed calls as asked for between two ticks, tear-down. Nothing
 * is computed here: start, stop and whether a tick fell in go to the host as they are. */
#include <string.h>

#include "board.h"
#include "harness.h"
#include "kernel.h"

/* In timer ticks; a kernel without ticks has nothing that a sample would be kept clear of. */
#define TICK_PERIOD (KERNEL_TICK_HZ ? TIMER_HZ / KERNEL_TICK_HZ : 1)
#define TICK_MARGIN (TICK_PERIOD / 4) /* a sample may start no later before a tick */

volatile uint32_t moved_stop;
volatile bool moved;
struct refusal case_refusal;

#ifdef PROBE
/* The start/stop pair without a call between; one for all cases, for it is the same in each. */
TIMED_FUNCTION(empty_pair, "pair", , )
#else
static timed_function *const empty_pair = NULL; /* a timer without probes: no cases either */
#endif

#ifdef TIMER_PROBE_BITS
static uint32_t expected_after;

/* From one count to a later one, less than a revolution of the probes' bits away. */
static uint32_t probe_bits_between(uint32_t earlier, uint32_t later) {
    return (later - earlier) & (UINT32_MAX >> (32 - TIMER_PROBE_BITS));
}

void expect_start(void) {
    expected_after = timer_now();
}

uint32_t whole_start(uint32_t read) {
    return expected_after + probe_bits_between(expected_after, read);
}

uint32_t whole_stop(uint32_t read) {
    uint32_t now = timer_now();
    return now - probe_bits_between(read, now);
}
#endif

static uint8_t sample_buffer[SAMPLE_CAPACITY][WIRE_SAMPLE_BYTES];
static uint16_t sample_count;

/* Waits for the next tick; returns the time just after it. */
static uint32_t await_tick(void) {
    uint32_t ticks = kernel_ticks();
    while (KERNEL_TICK_HZ && kernel_ticks() == ticks)
        kernel_sleep();
    return timer_now();
}

/* Places the next sample; `ticked` is the time of the last tick that was waited for. */
static uint32_t place(const struct series_request *request, uint32_t ticked) {
    if (!KERNEL_TICK_HZ)
        return ticked;
    if (request->unplaced) {
        ticked = await_tick();
        while (timer_now() - ticked < request->delay)
            ;
    } else if (timer_now() - ticked > TICK_PERIOD - TICK_MARGIN) {
        ticked = await_tick();
    }
    return ticked;
}

static void keep(const struct timing *timing, bool ticked) {
    uint8_t *sample = sample_buffer[sample_count++];
    memcpy(sample, &timing->start, sizeof timing->start);
    memcpy(sample + 4, &timing->stop, sizeof timing->stop);
    sample[8] = ticked ? SAMPLE_TICK : 0;
}

static timed_function *timed_by(const struct series_request *request) {
    if (request->pair)
        return empty_pair;
    return request->empty ? request->timed_case->empty : request->timed_case->real;
}

static void call(uint8_t flags, timed_function *timed, const struct series *series,
                 struct timing *timing) {
    if (flags & CASE_INTERRUPT)
        kernel_interrupt(timed, series, timing);
    else
        timed(series, timing);
}

/* The outcome of a hook that returned false: `otherwise`, unless the system is to blame. */
static struct series_outcome blame(CONSTANT struct timed_case *timed,
                                   struct series_outcome otherwise) {
    CONSTANT char *call =
        case_refusal.call ? (CONSTANT char *)case_refusal.call : TEXT_OF(timed->call);
    if (case_refusal.error == 0)
        return otherwise;
    return (struct series_outcome){REFUSED_SYSTEM, case_refusal.error, 0, call};
}

static struct series_outcome time_calls(const struct series_request *request,
                                        struct series *series) {
    CONSTANT struct timed_case *timed = request->timed_case;
    bool moves = (timed->flags & CASE_MOVES) && !request->empty;
    timed_function *function = timed_by(request);
    uint32_t ticked = await_tick();
    for (series->index = 0; series->index < series->length; series->index++) {
        struct timing timing;
        ticked = place(request, ticked);
        if (!request->empty && timed->before)
            timed->before(series);
        uint32_t ticks = kernel_ticks();
        moved = false;
        call(timed->flags, function, series, &timing);
        bool hit = kernel_ticks() != ticks;
        if (moves) {
            while (!moved)
                kernel_yield();
            timing.stop = moved_stop;
        }
        keep(&timing, hit);
        if (!request->empty && timed->after && !timed->after(series, timing.result))
            return blame(timed,
                         (struct series_outcome){REFUSED_CALL, series->index, timing.result, NULL});
    }
    return (struct series_outcome){REFUSED_NOTHING, 0, 0, NULL};
}

/* A case without a parameter takes x = 0 alone. */
static bool takes(CONSTANT struct timed_case *timed, uint32_t x) {
    CONSTANT struct domain *domain = timed->domain;
    if (domain == NULL)
        return x == 0;
    for (uint32_t one = domain->first; one <= domain->last; one += domain->step)
        if (one == x)
            return true;
    return false;
}

/* Whether the series can be run at all, before anything is changed. */
static struct series_outcome check(const struct series_request *request,
                                   const struct series *series) {
    if (series->length == 0)
        return (struct series_outcome){REFUSED_VALUE, 0, 0, NULL};
    if (!takes(request->timed_case, request->x))
        return (struct series_outcome){REFUSED_VALUE, request->x, 0, NULL};
    if (request->pair && empty_pair == NULL)
        return (struct series_outcome){REFUSED_VALUE, request->pair, 0, NULL};
    if (request->delay >= (request->unplaced ? TICK_PERIOD : 1))
        return (struct series_outcome){REFUSED_VALUE, request->delay, 0, NULL};
    if (series->length > SAMPLE_CAPACITY)
        return (struct series_outcome){REFUSED_BUFFER, (uint32_t)series->length * WIRE_SAMPLE_BYTES,
                                       sizeof sample_buffer, NULL};
    uint32_t needed = request->timed_case->bytes ? request->timed_case->bytes(series) : 0;
    uint32_t available = kernel_free_bytes();
    if (needed > available)
        return (struct series_outcome){REFUSED_HEAP, needed, available, NULL};
    return (struct series_outcome){REFUSED_NOTHING, 0, 0, NULL};
}

struct series_outcome series_run(const struct series_request *request) {
    struct series series = {.x = request->x, .length = request->length};
    struct series_outcome outcome = check(request, &series);
    PROBE_TIMER_SYMBOL();
    if (outcome.refused != REFUSED_NOTHING)
        return outcome;
    sample_count = 0;
    kernel_begin_series();
    case_refusal = (struct refusal){NULL, 0};
    if (!request->timed_case->set_up || request->timed_case->set_up(&series))
        outcome = time_calls(request, &series);
    else
        outcome = blame(request->timed_case, (struct series_outcome){REFUSED_SET_UP, 0, 0, NULL});
    if (request->timed_case->tear_down)
        request->timed_case->tear_down(&series);
    return outcome;
}

const uint8_t *series_samples(void) {
    return sample_buffer[0];
}

uint16_t series_count(void) {
    return sample_count;
}
