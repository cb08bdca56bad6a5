/* What threads cost that they cannot see themselves: told by a thread of the lowest rank, which
 * reads the clock all the time. Where two readings lie further apart than its loop takes, others
 * came between. */
#include "realtime.h"

#ifndef PORT_THREAD_TIME

enum { REHEARSED_TICKS = 16 };

static struct port_thread reader;
static volatile uint32_t idle;

/* No interruption is as short as eight of the loop's shortest turns. */
static void read_the_clock(void *unused) {
    uint32_t last = timer_now(), least = UINT32_MAX / 8;
    (void)unused;
    for (;;) {
        uint32_t now = timer_now(), passed = now - last;
        if (passed < least)
            least = passed;
        if (passed <= 8 * least + 16)
            idle += passed;
        last = now;
    }
}

bool idle_start(void) {
    return port_start(&reader, "idle", read_the_clock, NULL, RANK_EXTRA_LOWER, EXTRA_STACK);
}

uint32_t idle_counts(void) {
    return idle;
}

void idle_stop(void) {
    port_stop(&reader);
}

static volatile uint32_t nap_ticks;

static void nap(void *unused) {
    (void)unused;
    for (;;)
        port_sleep(nap_ticks);
}

/* Counts that are gone when a thread sleeps every so many ticks. */
static uint32_t gone_counts(uint32_t ticks) {
    nap_ticks = ticks;
    port_sleep(2);
    uint32_t began = timer_now(), unused = idle;
    port_sleep(REHEARSED_TICKS);
    return timer_now() - began - (idle - unused);
}

/* The tick itself costs the same at every tick; twice as many sleeps cost as much more. */
uint32_t sleep_counts(void) {
    static uint32_t counts;
    struct port_thread sleeper;
    nap_ticks = 1;
    if (counts != 0 || !idle_start())
        return counts;
    if (port_start(&sleeper, "sleeper", nap, NULL, RANK_TEST, EXTRA_STACK)) {
        int32_t more = (int32_t)(gone_counts(1) - gone_counts(2));
        counts = more > 0 ? (uint32_t)more * 2 / REHEARSED_TICKS : 0;
        port_stop(&sleeper);
    }
    idle_stop();
    return counts;
}

#else

uint32_t sleep_counts(void) {
    return 0;
}

#endif
