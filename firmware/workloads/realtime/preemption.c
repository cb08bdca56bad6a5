/* Task preemption (Figures 4 and 5): a control thread of medium priority wakes the thread of higher
 * priority that is suspended. So does, where there is a line from outside, its interrupt, which
 * comes whatever runs: also while the kernel holds the scheduler (Figure 4). */
#include "realtime.h"

static struct port_thread control, woken;
static struct port_semaphore wake_up_allowed;

static void wait_to_be_woken(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        port_give(&wake_up_allowed);
        port_suspend_self();
        uint32_t stop = NOW("realtime.preemption.stop");
        struct busy busy = busy_begin(BUSY_WOKEN);
        if (sample_end(stop))
            batch_is_full();
        busy_lap(&busy);
        busy_sleeps(BUSY_WOKEN);
    }
}

static void wake_in_turn(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        if (port_try(&wake_up_allowed)) {
            sample_prepare(ORIGIN_THREAD);
            sample_begin(NOW("realtime.preemption.start"));
            port_resume(&woken);
        }
        pause_between_samples();
    }
}

#ifdef PORT_INTERRUPTS

/* In the line's ISR. While the woken thread runs, it is not suspended. */
static void wake_from_line(uint32_t entered) {
    CLOCK;
    (void)entered;
    port_end_line_interrupt();
    if (!line_is_wanted() || port_runs(&woken) || !port_try_from_isr(&wake_up_allowed))
        return;
    sample_prepare(ORIGIN_LINE);
    sample_begin(NOW("realtime.preemption.line.start"));
    port_resume_from_isr(&woken);
}

#define attach_line() line_attach(wake_from_line)
#define detach_line() port_detach_line()
#else
#define attach_line() ((void)0)
#define detach_line() ((void)0)
#endif

/* The load's own interrupts take the line's timer. */
static bool start(const struct batch *batch) {
    bool is_started = port_create(&wake_up_allowed, 0) &&
                      port_start(&woken, "woken", wait_to_be_woken, NULL, RANK_WOKEN, TEST_STACK) &&
                      port_start(&control, "control", wake_in_turn, NULL, RANK_CONTROL, TEST_STACK);
    if (batch->load_kind != LOAD_INTERRUPTS || batch->load_percent == 0)
        attach_line();
    return is_started;
}

static void stop(void) {
    detach_line();
    port_stop(&control);
    port_stop(&woken);
    port_delete(&wake_up_allowed);
}

const struct indicator preemption = {"preemption", NULL, RANK_CONTROL, start, stop};
