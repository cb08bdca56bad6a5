/* Interrupt response (Figure 6): of a software interrupt, asked for by a test thread or by a
 * background thread that masks interrupts; and of a hardware line that rises when it will. */
#include "realtime.h"

#ifdef PORT_INTERRUPTS

static struct port_thread test;
static struct port_semaphore answered;
static bool is_started;

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
        sample_begin(NOW("realtime.interrupt.start"), 0);
        port_software_interrupt();
        pause_between_samples();
    }
}

void stimulate_masked(uint8_t origin) {
    CLOCK;
    if (!is_started || !stimulus_allowed() || !port_try(&answered))
        return;
    sample_begin(NOW("realtime.interrupt.masked.start"), origin);
    port_software_interrupt();
}

static bool start(const struct batch *batch) {
    (void)batch;
    is_started = port_create(&answered, 1) &&
                 port_start(&test, "test", ask_for_interrupts, NULL, RANK_TEST, TEST_STACK);
    port_attach_software_interrupt();
    return is_started;
}

static void stop(void) {
    is_started = false;
    port_stop(&test);
    port_delete(&answered);
}

const struct indicator interrupt = {"interrupt", NULL, RANK_TEST, start, stop};

/* The line's timer noted its count when the line rose; the start is what it noted. */
void line_interrupt_taken(void) {
    uint32_t stop = LINE_NOW("realtime.hardware.stop");
    sample_begin(port_line_rose(), 0);
    port_end_line_interrupt();
    if (sample_end(stop))
        batch_is_full_from_isr();
}

/* Nobody begins these samples: the line does. */
static bool start_line(const struct batch *batch) {
    (void)batch;
    port_attach_line();
    return true;
}

static void stop_line(void) {
    port_detach_line();
}

const struct indicator hardware = {"hardware", NULL, RANK_TEST, start_line, stop_line};

#else

#define NO_ISR "a program has no interrupt service routine of its own here"

void stimulate_masked(uint8_t origin) {
    (void)origin;
}

const struct indicator interrupt = {"interrupt", NO_ISR, RANK_TEST, NULL, NULL};
const struct indicator hardware = {"hardware", NO_ISR, RANK_TEST, NULL, NULL};

#endif
