/* Wake-up latency: from the time for which a thread asked a timer to wake it to its running. No
 * interrupt response: a figure of its own, where programs have no ISR. */
#include "realtime.h"

#ifdef PORT_WAKE_UP

static struct port_thread test;

/* Up to its stop a sample's time is that of timer, interrupt and switch: the test's own, and no
 * other's whose work it interrupted. Time beyond the shortest is the work of others. */
static void sleep_in_turn(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        sample_prepare(ORIGIN_THREAD);
        uint32_t start = port_sleep_until_next();
        sample_begin(start);
        uint32_t stop = port_woken();
        bool is_full = sample_end(stop);
        struct busy busy = busy_begin(BUSY_TEST);
        busy_elsewhere(BUSY_TEST, samples_least());
        if (is_full) {
            batch_is_full();
            port_suspend_self();
        }
        busy_lap(&busy);
        busy_sleeps(BUSY_TEST);
    }
}

static bool start(const struct batch *batch) {
    (void)batch;
    return port_start(&test, "test", sleep_in_turn, NULL, RANK_TEST, TEST_STACK);
}

static void stop(void) {
    port_stop(&test);
}

const struct indicator wake_up = {"wake_up", NULL, RANK_TEST, start, stop};

#else

const struct indicator wake_up = {
    "wake_up", "this kernel's timers count its tick: what a wake-up takes is its preemption",
    RANK_TEST, NULL, NULL};

#endif
