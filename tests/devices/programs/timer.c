/* TIMER0 (LPC214x user manual, UM10139), set up from the host.
 * arguments: VPBDIV, PR, MR0, MCR, EMR, CCR, CTCR. */
#include "part.h"

static void start(void) {
    VPBDIV = arguments[0];
    T0PR = arguments[1];
    T0MR0 = arguments[2];
    T0MCR = arguments[3];
    T0EMR = arguments[4];
    T0CCR = arguments[5];
    T0CTCR = arguments[6];
    T0TCR = 1;
}

/* Runs the timer, nothing else. */
void run(void) {
    start();
    spin();
}

/* Reads TC again and again. */
void count(void) {
    start();
    for (int i = 0; i < 20; i++)
        values[i] = T0TC;
}

static HANDLER void clear(void) {
    T0IR = 1;
    VICVectAddr = 0;
}

/* Clears the match in its handler. */
void serve(void) {
    vectored(0, 4, clear);
    start();
    spin();
}

/* Runs until the timer has stopped itself. */
void stop(void) {
    start();
    while (T0TCR)
        ;
    values[0] = T0TC;
    values[1] = T0PC;
    values[2] = T0IR;
}

/* Waits for a capture. */
void capture(void) {
    start();
    while (!(T0IR & 1 << 4))
        ;
    values[0] = T0CR0;
}

/* Counts edges until the host has set arguments[7]. */
void edges(void) {
    start();
    while (!arguments[7])
        ;
    values[0] = T0TC;
    values[1] = T0CR0;
}
