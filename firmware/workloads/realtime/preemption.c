/* Task preemption (Figures 4 and 5): a control thread of medium priority, or a background thread
 * that holds the scheduler, wakes the thread of higher priority that is suspended. */
#include "realtime.h"

static struct port_thread control, woken;
static struct port_semaphore wake_up_allowed;
static bool is_started;

static void wait_to_be_woken(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        port_suspend_self();
        if (sample_end(NOW("realtime.preemption.stop")))
            batch_is_full();
        port_give(&wake_up_allowed);
    }
}

static void wake_in_turn(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        if (port_try(&wake_up_allowed)) {
            sample_begin(NOW("realtime.preemption.start"), 0);
            port_resume(&woken);
        }
        pause_between_samples();
    }
}

void stimulate_locked(uint8_t origin) {
    CLOCK;
    if (!is_started || !stimulus_allowed() || !port_try(&wake_up_allowed))
        return;
    sample_begin(NOW("realtime.preemption.locked.start"), origin);
    port_resume(&woken);
}

static bool start(const struct batch *batch) {
    (void)batch;
    is_started = port_create(&wake_up_allowed, 1) &&
                 port_start(&woken, "woken", wait_to_be_woken, NULL, RANK_WOKEN, TEST_STACK) &&
                 port_start(&control, "control", wake_in_turn, NULL, RANK_CONTROL, TEST_STACK);
    return is_started;
}

static void stop(void) {
    is_started = false;
    port_stop(&control);
    port_stop(&woken);
    port_delete(&wake_up_allowed);
}

const struct indicator preemption = {"preemption", NULL, RANK_CONTROL, start, stop};
