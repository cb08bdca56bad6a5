/* The load: background threads, or an interrupt, take a share of the processor. Each worker owes
 * an equal part of the share of all time since the window began. It works, by its own time on the
 * processor, until it owes nothing. Too much or too little work is made good later.
 * Threads sleep until the next tick that is theirs, never for a time. No thread can see the cost of
 * waking it; a rehearsal measures that. */
#include "realtime.h"

/* A thread that wakes has work for a fifth of a tick, if all are to have `load_percent`. Waking
 * it takes at most half of that, unless there were too many ticks between two. */
enum { SHARES = 100, LEAST_SHARE = 20, MOST_APART = LEAST_SHARE };

volatile uint32_t underway[BACKGROUND_THREADS + 1];

static struct background threads[BACKGROUND_THREADS];
static uint8_t load_percent, load_kind, started, workers, ticks_apart;
static bool is_set_up;
static uint32_t wake_counts;      /* of the processor, for each time that one of them wakes */
static uint32_t test_counts;      /* the same for a thread of the test */
static uint32_t bare_tick_counts; /* for a tick that wakes nobody */
static uint32_t idle_tick_counts; /* the same where there is no load, but the test */
static uint32_t seen_ticks[BACKGROUND_THREADS]; /* up to which one the thread has paid */
static volatile bool closing;
static uint32_t began, began_ticks;

static uint8_t whose(const struct background *self) {
    return (uint8_t)(BUSY_LOAD + (self - threads));
}

/* In counts × SHARES, of each worker's debt. */
static int64_t paid_by_ticks(uint32_t ticks) {
    return TICK_IS_DEAR ? (int64_t)ticks * bare_tick_counts * SHARES : 0;
}

static int64_t paid_since(struct background *self) {
    if (!TICK_IS_DEAR)
        return 0;
    uint32_t *seen = &seen_ticks[self - threads], ticks = kernel_ticks() - *seen;
    *seen += ticks;
    return paid_by_ticks(ticks);
}

/* Takes down what was worked, and whether more is owed. */
static bool owes(struct background *self) {
    uint32_t now = timer_now(), own = busy_lap(&self->busy);
    self->worked += own;
    self->owed += (int64_t)(now - self->seen) * load_percent - (int64_t)own * SHARES * workers;
    self->owed -= paid_since(self);
    self->seen = now;
    return self->owed > 0;
}

/* A thread woke, or the interrupt came. */
static void begin_work(struct background *self) {
    busy_periods++;
    self->worked += wake_counts;
    self->owed -= (int64_t)wake_counts * SHARES * workers;
    busy_elsewhere(whose(self), wake_counts);
    self->busy = busy_begin(whose(self));
}

/* Each thread has its own of so many ticks. */
static uint32_t cycle_ticks(void) {
    return (uint32_t)workers * ticks_apart;
}

static uint32_t ticks_to_next(const struct background *self) {
    uint32_t cycle = cycle_ticks(), own = (uint32_t)self->origin * ticks_apart % cycle;
    return 1 + (own + cycle - (kernel_ticks() + 1) % cycle) % cycle;
}

static void sleep_until_next(struct background *self) {
    uint32_t tick = kernel_ticks() + ticks_to_next(self);
    if (self->wait != NULL)
        self->wait(self, tick);
    else
        port_sleep_until(tick);
}

static void work(void *argument) {
    struct background *self = argument;
    for (;;) {
        sleep_until_next(self);
        if (closing)
            break;
        begin_work(self);
        while (owes(self) && !closing)
            self->steps[next_random(&self->random) % self->step_count].run(self);
        underway[self->origin] = 0;
    }
    self->finished = true;
    for (;;)
        port_suspend_self();
}

static enum rank rank_of(uint8_t thread) {
    return (enum rank)(thread < 2 ? RANK_BACKGROUND_LOW + thread
                                  : RANK_BACKGROUND_HIGH + thread - 2);
}

/* Threads below the ring of task switching, whose threads are always ready, would never run: there
 * those above it work for all. */
static uint8_t first_of(const struct batch *batch) {
    return batch->indicator == SWITCHING ? 2 : 0;
}

static bool start_threads(const struct batch *batch) {
    static const char *const names[] = {"load 1", "load 2", "load 3", "load 4", "load 5"};
    uint32_t random = batch->seed;
    for (started = 0; started < first_of(batch); started++)
        threads[started].finished = true;
    workers = (uint8_t)(BACKGROUND_THREADS - started);
    for (; started < BACKGROUND_THREADS; started++) {
        struct background *one = &threads[started];
        one->origin = (uint8_t)(started + 1);
        one->random = next_random(&random) << 16 | next_random(&random);
        if (!port_start(&one->thread, names[started], work, one, rank_of(started), LOAD_STACK))
            return false;
    }
    return true;
}

/* The parts of each kind of load. */
static const struct {
    bool (*set_up)(struct background[BACKGROUND_THREADS]);
    void (*tear_down)(void);
} kinds[LOAD_KINDS] = {[LOAD_CALLS] = {background_set_up, background_tear_down},
                       [LOAD_MEMORY] = {memory_set_up, memory_tear_down},
                       [LOAD_IO] = {io_set_up, io_tear_down}};

#ifdef PORT_INTERRUPTS

/* Interrupts of the load come 5,000 times a second on average, if the board does not say otherwise,
 * at times that vary. Their debt is counted for the first of the threads, which does not run. An
 * alarm that is overdue comes soon. */
#ifndef BOARD_LOAD_INTERRUPTS_HZ
#define BOARD_LOAD_INTERRUPTS_HZ 5000
#endif
enum { ALARM_COUNTS = PORT_ALARM_HZ / BOARD_LOAD_INTERRUPTS_HZ, SOON_COUNTS = 200 };

static uint32_t alarm;

static void set_next_alarm(struct background *self) {
    alarm += ALARM_COUNTS / 2 + next_random(&self->random) % ALARM_COUNTS;
    if (port_counts_to_alarm(alarm) < SOON_COUNTS)
        alarm = port_alarm_now() + SOON_COUNTS;
    port_set_alarm(alarm);
}

void load_interrupt(void) {
    struct background *self = &threads[0];
    begin_work(self);
    port_end_alarm();
    while (owes(self) && !closing)
        ;
    if (!closing)
        set_next_alarm(self);
    owes(self);
}

static bool start_interrupts(const struct batch *batch) {
    threads[0].random = batch->seed;
    workers = 1;
    port_attach_alarm();
    return true;
}

static void begin_interrupts(void) {
    alarm = port_alarm_now();
    set_next_alarm(&threads[0]);
}

#else

static bool start_interrupts(const struct batch *batch) {
    (void)batch;
    return false;
}

static void begin_interrupts(void) {}

#endif

/* The work that a thread owes in the midst of a load: its part of the ticks since its last one. */
static int64_t owed_midway(const struct background *self) {
    if (load_percent == 0 || load_kind == LOAD_INTERRUPTS)
        return 0;
    uint32_t ticks = cycle_ticks() - ticks_to_next(self);
    return (int64_t)ticks * (TIMER_HZ / KERNEL_TICK_HZ) * load_percent - paid_by_ticks(ticks);
}

static void begin_window(void) {
    began_ticks = kernel_ticks();
    began = timer_now();
    for (uint8_t i = 0; i < BACKGROUND_THREADS; i++) {
        threads[i].seen = began;
        threads[i].owed = owed_midway(&threads[i]);
        threads[i].worked = 0;
        if (TICK_IS_DEAR)
            seen_ticks[i] = began_ticks;
        threads[i].busy = busy_begin(whose(&threads[i]));
    }
}

/* The counter may have wrapped; the ticks, which are coarse, have not. */
static uint64_t window_counts(void) {
    uint32_t now = timer_now();
    uint64_t coarse = (uint64_t)(kernel_ticks() - began_ticks) * TIMER_HZ / KERNEL_TICK_HZ;
    return coarse + (uint64_t)(int64_t)(int32_t)(now - began - (uint32_t)coarse);
}

static uint64_t worked_counts(void) {
    uint64_t worked = 0;
    if (TICK_IS_DEAR)
        worked = (uint64_t)paid_by_ticks(kernel_ticks() - began_ticks) / SHARES;
    for (uint8_t i = 0; i < BACKGROUND_THREADS; i++)
        worked += threads[i].worked;
    return worked;
}

#ifdef PORT_THREAD_TIME

/* The kernel reports a thread's whole time. */
static bool rehearse(void) {
    return true;
}

#else

/* The threads, or the interrupt, alone and without work, beside a thread that counts what is left.
 * The lost time went into waking them, and into the tick. With work they would wake while
 * another one works, which would take that for its own. */
static bool rehearse_waking(uint32_t *found) {
    enum { CYCLES = 12 };
    if (!idle_start(1))
        return false;
    begin_window();
    port_sleep(1);
    begin_window();
    if (load_kind == LOAD_INTERRUPTS)
        begin_interrupts();
    uint32_t idle = idle_counts(), periods = busy_periods;
    port_sleep((uint32_t)CYCLES * cycle_ticks());
    int64_t unseen = (int64_t)window_counts() - (int64_t)worked_counts() - (idle_counts() - idle);
    periods = busy_periods - periods;
    idle_stop();
    *found = unseen > 0 && periods > 0 ? (uint32_t)unseen / periods : 0;
    return true;
}

/* Of their share of so many ticks, what is left for threads; in counts × SHARES. */
static uint64_t left_for_threads(uint8_t ticks) {
    const uint32_t tick_counts = TIMER_HZ / KERNEL_TICK_HZ;
    if (!TICK_IS_DEAR)
        return (uint64_t)load_percent * ticks * tick_counts;
    int64_t left = ticks * (int64_t)tick_counts * load_percent - paid_by_ticks(ticks);
    return left > 0 ? (uint64_t)left : 0;
}

/* Ticks that wake nobody are paid for with the next one that does, unless they pay themselves. */
static void choose_ticks_apart(uint32_t counts) {
    ticks_apart = (uint8_t)((LEAST_SHARE + load_percent - 1) / load_percent);
    uint32_t idle_tick = TICK_IS_DEAR ? 0 : bare_tick_counts;
    wake_counts = counts + (ticks_apart - 1u) * idle_tick;
    while (ticks_apart < MOST_APART &&
           2 * SHARES * (uint64_t)wake_counts > left_for_threads(ticks_apart)) {
        ticks_apart++;
        wake_counts += idle_tick;
    }
}

/* A load like the last one needs no other rehearsal. */
static bool rehearse(void) {
    static uint8_t rehearsed_kind, rehearsed_workers;
    static uint32_t found;
    if (load_kind != rehearsed_kind || workers != rehearsed_workers) {
        uint8_t percent = load_percent;
        load_percent = 0;
        if (!rehearse_waking(&found))
            return false;
        load_percent = percent;
        rehearsed_kind = load_kind;
        rehearsed_workers = workers;
    }
    if (load_kind == LOAD_INTERRUPTS)
        wake_counts = found;
    else
        choose_ticks_apart(found);
    return true;
}

#endif

/* Whether a tick finds another thread of the test's rank ready. */
static bool shares_by_ticks(const struct batch *batch) {
    return batch->indicator == SWITCHING ||
           (batch->placement == READY_EQUAL && batch->extra_tasks != 0);
}

bool load_start(const struct batch *batch) {
    for (uint8_t i = 0; i < facility_count; i++)
        facility_calls[i] = 0;
    for (uint8_t i = 0; i < BACKGROUND_THREADS; i++)
        threads[i] = (struct background){0};
    started = 0;
    closing = false;
    busy_reset();
    wake_counts = 0;
    load_percent = batch->load_percent;
    load_kind = batch->load_kind;
    is_set_up = false;
    bare_tick_counts = tick_counts(false);
    if (TICK_IS_DEAR)
        busy_ticks_take(bare_tick_counts);
    idle_tick_counts = tick_counts(shares_by_ticks(batch));
    if (load_percent == 0)
        return true;
    test_counts = sleep_counts();
    ticks_apart = 1;
    if (load_kind == LOAD_INTERRUPTS)
        return start_interrupts(batch) && rehearse();
    is_set_up = true;
    return kinds[load_kind].set_up(threads) && start_threads(batch) && rehearse();
}

void load_begin(void) {
    begin_window();
    pausing_begins(load_percent != 0, test_counts);
    if (load_percent != 0 && load_kind == LOAD_INTERRUPTS)
        begin_interrupts();
}

/* Without load it is the kernel's tick that takes a share. */
uint16_t load_end(void) {
    uint64_t window = window_counts(), worked = worked_counts();
    if (load_percent == 0)
        worked = (uint64_t)(kernel_ticks() - began_ticks) * idle_tick_counts;
    return window == 0 ? 0 : (uint16_t)(worked * SHARES * 100 / window);
}

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
    if (is_set_up)
        kinds[load_kind].tear_down();
    is_set_up = false;
    load_percent = 0;
    return finished;
}
