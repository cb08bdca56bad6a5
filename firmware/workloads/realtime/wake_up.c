/* Wake-up latency: from the time for which a thread asked a timer to wake it to its running. No
 * interrupt response: a figure of its own, where programs have no ISR. */
#include "realtime.h"

#ifdef PORT_WAKE_UP

static struct port_thread test;

static void sleep_in_turn(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        sample_prepare(ORIGIN_THREAD);
        sample_begin(port_sleep_until_next());
        if (sample_end(port_woken())) {
            batch_is_full();
            port_suspend_self();
        }
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
