/* An interrupt service routine that runs a timed function. */
#include "board.h"
#include "cases/freertos_case.h"
#include "interrupt_entry.h"
#include "kernel.h"

BaseType_t woken;

static struct {
    timed_function *timed;
    const struct series *series;
    struct timing *timing;
} work;
static volatile bool done;

void interrupt_work(void);
static void interrupt_entered(void);

void interrupt_work(void) {
    woken = pdFALSE;
    work.timed(work.series, work.timing);
    board_end_interrupt();
    done = true;
    if (woken)
        SWITCH_FROM_INTERRUPT();
}

static INTERRUPT_ENTRY(interrupt_entered, interrupt_work)

    void kernel_interrupt(timed_function *timed, const struct series *series,
                          struct timing *timing) {
    work.timed = timed;
    work.series = series;
    work.timing = timing;
    done = false;
    board_attach_interrupt(interrupt_entered);
    board_request_interrupt();
    while (!done)
        ;
}
