/* The alarm of the LPC2148: match 0 of TIMER1, which runs at PCLK and never stops (UM10139). */
#include "alarm.h"

enum { TIMER1_SOURCE = 5, VECTCNTL_ENABLE = 1 << 5 };

void board_attach_alarm(void (*isr)(void)) {
    T1_MCR = 0;
    T1_PR = 0;
    T1_TCR = 1;
    T1_IR = 1;
    VICVectAddr2 = (uint32_t)isr;
    VICVectCntl2 = TIMER1_SOURCE | VECTCNTL_ENABLE;
    VICIntEnable = 1 << TIMER1_SOURCE;
}
