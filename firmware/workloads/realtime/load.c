/* The background threads: five, each of a priority of its own, each working its share of a period
 * and then sleeping through the rest. The share is time that passed, whoever had the processor. */
#include "realtime.h"

enum { PERIOD_MS = 10 };
#define PERIOD_TICKS (PERIOD_MS * KERNEL_TICK_HZ / 1000)
_Static_assert(PERIOD_TICKS >= 1, "the kernel's tick is no slower than the load's period");

volatile uint32_t underway[BACKGROUND_THREADS + 1];

static struct background threads[BACKGROUND_THREADS];
static uint32_t share_counts;
static uint8_t load_percent, started;
static volatile bool closing;

/* Numerical Recipes' linear congruential generator; its high bits are the better ones. */
uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static void work(struct background *self) {
    CLOCK;
    self->slept_counts = 0;
    uint32_t began = NOW("realtime.load.began");
    do
        self->steps[next_random(&self->random) % self->step_count].run(self);
    while (!closing && NOW("realtime.load.worked") - began - self->slept_counts < share_counts);
}

static void load(void *argument) {
    struct background *self = argument;
    while (!closing) {
        work(self);
        underway[self->origin] = 0;
        if (load_percent < 100 && !closing)
            port_sleep(PERIOD_TICKS);
    }
    self->finished = true;
    for (;;)
        port_suspend_self();
}

static enum rank rank_of(uint8_t thread) {
    return (enum rank)(thread < 2 ? RANK_BACKGROUND_LOW + thread
                                  : RANK_BACKGROUND_HIGH + thread - 2);
}

bool load_start(const struct batch *batch) {
    static const char *const names[] = {"load 1", "load 2", "load 3", "load 4", "load 5"};
    for (uint8_t i = 0; i < facility_count; i++)
        facility_calls[i] = 0;
    started = 0;
    closing = false;
    load_percent = batch->load_percent;
    if (load_percent == 0)
        return true;
    share_counts = TIMER_HZ / 1000 * PERIOD_MS / 100 * load_percent / BACKGROUND_THREADS;
    uint32_t random = batch->seed;
    if (!background_set_up(threads))
        return false;
    for (; started < BACKGROUND_THREADS; started++) {
        struct background *one = &threads[started];
        one->origin = (uint8_t)(started + 1);
        one->random = next_random(&random) << 16 | next_random(&random);
        one->finished = false;
        if (!port_start(&one->thread, names[started], load, one, rank_of(started), LOAD_STACK))
            return false;
    }
    return true;
}

#ifdef PORT_TICKS_INTERRUPT

enum { TICKS_APART = 8 };
#define TICK_COUNTS (TIMER_HZ / KERNEL_TICK_HZ)

/* Whoever slept wakes with a tick, and would meet none in its samples. So in one tick of eight it
 * waits awake until shortly before the next, and then pauses no more until that came. */
void pause_between_samples(void) {
    static uint32_t woke, random = 1;
    CLOCK;
    if (load_percent == 0)
        return;
    if (kernel_ticks() % TICKS_APART != 0) {
        port_sleep(1);
        woke = NOW("realtime.pause.woke");
        return;
    }
    uint32_t before_counts = TICK_COUNTS / 8 - next_random(&random) % (TICK_COUNTS / 16);
    while (NOW("realtime.pause.waits") - woke < TICK_COUNTS - before_counts)
        ;
}

#else

void pause_between_samples(void) {
    if (load_percent != 0)
        port_sleep(1);
}

#endif

static bool all_finished(void) {
    for (uint8_t i = 0; i < started; i++)
        if (!threads[i].finished)
            return false;
    return true;
}

/* They end where they hold nothing: deleted in the middle of a call, they would leave memory and
 * locks behind. */
bool load_stop(void) {
    closing = true;
    for (uint32_t tick = 0; tick < CLOSING_TICKS && !all_finished(); tick++)
        port_sleep(1);
    bool finished = all_finished();
    for (uint8_t i = 0; i < started; i++)
        port_stop(&threads[i].thread);
    started = 0;
    if (load_percent != 0)
        background_tear_down();
    load_percent = 0;
    return finished;
}
