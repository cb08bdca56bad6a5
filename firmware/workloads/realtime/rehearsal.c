/* Measures the time of threads that they cannot see themselves: a thread of the lowest rank
 * reads the clock all the time. Where two readings differ by more than its loop takes, others came
 * between, and all but an iteration of the loop is theirs. */
#include "realtime.h"

#ifndef PORT_THREAD_TIME

enum { REHEARSED_TICKS = 16 };

/* Two of them share the processor by ticks. */
enum { READERS = 2 };

static struct port_thread readers[READERS];
static volatile uint32_t idle[READERS];

static volatile uint32_t napped_at, naps, nap_counts;

/* No interruption is shorter than the loop's shortest iteration, also where the memory is slow. The
 * first reading follows no whole iteration. */
static void read_the_clock(void *argument) {
    volatile uint32_t *unused = argument;
    port_may_end_anywhere();
    uint32_t last = timer_now(), least = UINT32_MAX / 2;
    for (bool is_first = true;; is_first = false) {
        uint32_t now = timer_now(), passed = now - last;
        if (passed < least && !is_first)
            least = passed;
        if (passed < 2 * least) {
            *unused += passed;
        } else {
            *unused += least;
            nap_counts += now - napped_at;
            naps++;
        }
        last = now;
    }
}

bool idle_start(uint8_t many) {
    for (uint8_t i = 0; i < many; i++)
        if (!port_start(&readers[i], "idle", read_the_clock, (void *)&idle[i], RANK_EXTRA_LOWER,
                        EXTRA_STACK))
            return false;
    return true;
}

uint32_t idle_counts(void) {
    return idle[0] + idle[1];
}

void idle_stop(void) {
    for (uint8_t i = 0; i < READERS; i++)
        port_stop(&readers[i]);
}

/* Counts that nobody used for reading the clock in so many ticks. */
static uint32_t gone_in(uint32_t ticks) {
    port_sleep(2);
    uint32_t began = timer_now(), unused = idle_counts();
    port_sleep(ticks);
    return timer_now() - began - (idle_counts() - unused);
}

/* The monitor's own sleep is in both. */
uint32_t tick_counts(bool switches) {
    static uint32_t counts[READERS];
    if (counts[switches] == 0) {
        if (idle_start(switches ? 2 : 1)) {
            uint32_t few = gone_in(REHEARSED_TICKS), many = gone_in(2 * REHEARSED_TICKS);
            counts[switches] = (many - few) / REHEARSED_TICKS;
        }
        idle_stop();
    }
    return counts[switches];
}

/* As the test's threads sleep, which account for their time up to then. */
static void nap(void *unused) {
    (void)unused;
    for (;;) {
        struct busy busy = busy_begin(BUSY_TEST);
        busy_lap(&busy);
        napped_at = busy.since;
        busy_elsewhere(BUSY_TEST, 0);
        port_sleep(1);
    }
}

/* From the last time that a thread accounts for, before it sleeps, to the next thread's going on.
 * The tick that wakes it again is the kernel's. */
uint32_t sleep_counts(void) {
    static uint32_t counts;
    struct port_thread sleeper;
    if (counts != 0 || !idle_start(1))
        return counts;
    if (port_start(&sleeper, "sleeper", nap, NULL, RANK_TEST, EXTRA_STACK)) {
        port_sleep(2);
        uint32_t before = nap_counts, many = naps;
        port_sleep(REHEARSED_TICKS);
        counts = naps == many ? 0 : (nap_counts - before) / (naps - many);
        port_stop(&sleeper);
    }
    idle_stop();
    return counts;
}

#else

uint32_t tick_counts(bool switches) {
    (void)switches;
    return 0;
}

uint32_t sleep_counts(void) {
    return 0;
}

#endif
