/* Semaphore shuffling (Figures 7 and 8): A releases S, for which B of higher priority waits. */
#include "realtime.h"

static struct port_thread a, b;
static struct port_semaphore s, p;

static void release_and_apply(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        sample_prepare(ORIGIN_THREAD);
        sample_begin(NOW("realtime.shuffling.start"));
        port_give(&s);
        port_take(&p);
        pause_between_samples();
    }
}

static void apply_and_release(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        port_take(&s);
        if (sample_end(NOW("realtime.shuffling.stop")))
            batch_is_full();
        port_give(&p);
    }
}

static bool start(const struct batch *batch) {
    (void)batch;
    return port_create(&s, 0) && port_create(&p, 0) &&
           port_start(&b, "B", apply_and_release, NULL, RANK_WOKEN, TEST_STACK) &&
           port_start(&a, "A", release_and_apply, NULL, RANK_TEST, TEST_STACK);
}

static void stop(void) {
    port_stop(&a);
    port_stop(&b);
    port_delete(&s);
    port_delete(&p);
}

const struct indicator shuffling = {"shuffling", NULL, RANK_TEST, start, stop};
