/* An interrupt service routine that runs a timed function, written as the port's own for the tick
 * (portISR.c): context saved, work, perhaps a switch, context of whoever is to run restored. In ARM
 * state, as the port's macros want it. */
#include "board.h"
#include "cases/freertos_case.h"
#include "kernel.h"

BaseType_t woken;

static struct {
    timed_function *timed;
    const struct series *series;
    struct timing *timing;
} work;
static volatile bool done;

void interrupt_work(void);
static void interrupt_entered(void) __attribute__((naked));

void interrupt_work(void) {
    woken = pdFALSE;
    work.timed(work.series, work.timing);
    board_end_interrupt();
    done = true;
    if (woken)
        portYIELD_FROM_ISR();
}

static void interrupt_entered(void) {
    portSAVE_CONTEXT();
    __asm volatile("bl interrupt_work");
    portRESTORE_CONTEXT();
}

void kernel_interrupt(timed_function *timed, const struct series *series, struct timing *timing) {
    work.timed = timed;
    work.series = series;
    work.timing = timing;
    done = false;
    board_attach_interrupt(interrupt_entered);
    board_request_interrupt();
    while (!done)
        ;
}
