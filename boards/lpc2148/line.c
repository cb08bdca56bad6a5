/* The line from outside: CAP1.0 on P0.10, which makes TIMER1 note its count and interrupt
 * (UM10139). */
#include "line.h"

enum { CCR_CAP0_RISING = 1, CCR_CAP0_INTERRUPT = 4, IR_CAP0 = 1 << 4 };
enum { TIMER1_SOURCE = 5, VECTCNTL_ENABLE = 1 << 5 };
enum { P0_10_MASK = 3 << 20, P0_10_CAP1_0 = 2 << 20 };

void board_attach_line(void (*isr)(void)) {
    PINSEL0 = (PINSEL0 & ~(uint32_t)P0_10_MASK) | P0_10_CAP1_0;
    T1_TCR = 1;
    T1_CCR = CCR_CAP0_RISING | CCR_CAP0_INTERRUPT;
    T1_IR = IR_CAP0;
    VICVectAddr2 = (uint32_t)isr;
    VICVectCntl2 = TIMER1_SOURCE | VECTCNTL_ENABLE;
    VICIntEnable = 1 << TIMER1_SOURCE;
}

void board_detach_line(void) {
    VICIntEnClear = 1 << TIMER1_SOURCE;
    T1_CCR = 0;
    T1_IR = IR_CAP0;
}

uint32_t board_line_rose(void) {
    return T1_CR0;
}

void board_end_line_interrupt(void) {
    T1_IR = IR_CAP0;
    VICVectAddr = 0;
}
