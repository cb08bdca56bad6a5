/* Interrupt response (Figure 6). Of a software interrupt, asked for by a test thread. And of a
 * hardware line that rises when it will, also while the kernel masks interrupts. */
#include "realtime.h"

#ifdef PORT_INTERRUPTS

static struct port_thread test;
static struct port_semaphore answered;

/* The user's ISR: what the port's entry calls first. */
void software_interrupt_taken(void) {
    CLOCK;
    uint32_t stop = NOW("realtime.interrupt.stop");
    port_end_software_interrupt();
    sample_end(stop);
    port_give_from_isr(&answered);
}

static void ask_for_interrupts(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        port_take(&answered);
        if (samples_are_full()) {
            batch_is_full();
            port_suspend_self();
        }
        sample_prepare(ORIGIN_THREAD);
        sample_begin(NOW("realtime.interrupt.start"));
        port_software_interrupt();
        pause_between_samples();
    }
}

static bool start(const struct batch *batch) {
    (void)batch;
    port_attach_software_interrupt();
    return port_create(&answered, 1) &&
           port_start(&test, "test", ask_for_interrupts, NULL, RANK_TEST, TEST_STACK);
}

static void stop(void) {
    port_stop(&test);
    port_delete(&answered);
}

const struct indicator interrupt = {"interrupt", NULL, RANK_TEST, start, stop};

static void (*line_taken)(uint32_t entered);
static uint32_t seen_counts, frame_counts; /* of the last one; and around it, for every one */

/* The user's ISR: what the port's entry calls first. */
void line_interrupt_taken(void) {
    uint32_t entered = LINE_NOW("realtime.hardware.stop");
    uint32_t since = timer_now();
    line_taken(entered);
    seen_counts = timer_now() - since;
    busy_elsewhere(BUSY_LINE, seen_counts + frame_counts);
}

#ifdef NO_BACKGROUND /* no load beside the test, and none to measure */

static void rehearse_line(void) {}

#else

static void end_rehearsed(uint32_t entered) {
    (void)entered;
    port_end_software_interrupt();
}

/* The time of entry and return, which the ISR cannot see: the software's own interrupt
 * goes the line's way. */
static void rehearse_line(void) {
    line_taken = end_rehearsed;
    port_attach_rehearsed_line();
    uint32_t began = timer_now();
    port_software_interrupt();
    frame_counts = timer_now() - began - seen_counts;
}

#endif

void line_attach(void (*taken)(uint32_t entered)) {
    rehearse_line();
    line_taken = taken;
    port_attach_line();
}

/* The line's timer noted its count when the line rose; the start is what it noted. */
static void answer(uint32_t entered) {
    sample_prepare(ORIGIN_THREAD);
    uint32_t rose = port_line_rose();
    sample_begin(rose);
    port_end_line_interrupt();
    if (sample_end(port_line_behind(rose, entered)))
        batch_is_full_from_isr();
}

/* Nobody begins these samples: the line does. */
static bool start_line(const struct batch *batch) {
    if (batch->load_kind == LOAD_INTERRUPTS && batch->load_percent != 0)
        return false;
    line_attach(answer);
    return true;
}

static void stop_line(void) {
    port_detach_line();
}

const struct indicator hardware = {"hardware", NULL, RANK_TEST, start_line, stop_line};

#else

#ifdef PORT_NOTED_INTERRUPT

static struct port_thread test;

/* The ISR is the kernel's, and notes for us when it begins. */
static void ask_for_noted_interrupts(void *unused) {
    (void)unused;
    CLOCK;
    for (;;) {
        sample_prepare(ORIGIN_THREAD);
        uint32_t taken = port_interrupts_taken();
        sample_begin(NOW("realtime.interrupt.start"));
        if (sample_end(port_noted_interrupt(taken))) {
            batch_is_full();
            port_suspend_self();
        }
        pause_between_samples();
    }
}

static bool start(const struct batch *batch) {
    (void)batch;
    return port_start(&test, "test", ask_for_noted_interrupts, NULL, RANK_TEST, TEST_STACK);
}

static void stop(void) {
    port_stop(&test);
}

const struct indicator interrupt = {"interrupt", NULL, RANK_TEST, start, stop};

#define NO_LINE "the timer channel that would note the line is the kernel's"

#else

#define NO_ISR "a program has no interrupt service routine of its own here"
#define NO_LINE NO_ISR

const struct indicator interrupt = {"interrupt", NO_ISR, RANK_TEST, NULL, NULL};

#endif

const struct indicator hardware = {"hardware", NO_LINE, RANK_TEST, NULL, NULL};

#endif
