/* PLL0, VPB divider, idle mode and MEMMAP (LPC214x user manual, UM10139).
 * arguments: PLLCFG, an address. */
#include "part.h"

enum { ENABLE = 1, CONNECT = 2, LOCKED = 1 << 10, IDLE = 1 };

static void feed(void) {
    PLLFEED = 0xAA;
    PLLFEED = 0x55;
}

static void lock(void) {
    PLLCFG = arguments[0];
    PLLCON = ENABLE;
    feed();
    while (!(PLLSTAT & LOCKED))
        ;
}

/* As every start-up does: enable, wait, connect. */
void connect(void) {
    values[0] = PLLSTAT;
    lock();
    values[1] = PLLSTAT;
    PLLCON = ENABLE | CONNECT;
    values[2] = PLLSTAT;
    feed();
    values[3] = PLLSTAT;
}

void disconnect(void) {
    connect();
    PLLCON = 0;
    feed();
    values[4] = PLLSTAT;
}

/* Feeds that are none. */
void feed_wrongly(void) {
    PLLCFG = arguments[0];
    PLLCON = ENABLE;
    PLLFEED = 0x55;
    PLLFEED = 0xAA;
    values[0] = PLLSTAT;
    PLLFEED = 0xAA;
    values[1] = PLLCON;
    PLLFEED = 0x55;
    values[2] = PLLSTAT;
    feed();
    values[3] = PLLSTAT;
}

/* Sleeps until TIMER0's match, with interrupts masked in the core; notes nothing, the host watches.
 */
void sleep(void) {
    VICIntEnable = 1u << 4;
    T0MR0 = 999;
    T0MCR = 1;
    T0TCR = 1;
    __asm__ volatile("str %1, [%0]\n"
                     "awake: .global awake\n"
                     "mov r0, r0\n" ::"r"(0xE01FC0C0),
                     "r"(IDLE));
    PCON = IDLE; /* the request is still up */
    values[0] = PCON;
}

/* The word at an address under the start-up's MEMMAP, and under MEMMAP = 1. */
void remap(void) {
    volatile uint32_t *vector = (volatile uint32_t *)arguments[1];
    values[0] = *vector;
    MEMMAP = 1;
    values[1] = *vector;
    MEMMAP = 2;
    values[2] = *vector;
}
