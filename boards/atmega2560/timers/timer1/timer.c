/* Timer1 and Timer3 as one counter of 26 bits, and its revolutions. */
#include "timer.h"

#include <util/atomic.h>

enum { COARSE_SHIFT = 10 }; /* Timer3 counts 1024ths of the clock */
#define COUNT_MASK ((UINT32_C(1) << (16 + COARSE_SHIFT)) - 1)

void timer_start(void) {
    TCCR1B = _BV(CS10);
    TCCR3B = _BV(CS32) | _BV(CS30);
}

/* Nobody knows the phase of the prescaler: Timer3 says which revolution of Timer1 is nearest. */
uint32_t timer_now(void) {
    static uint32_t count;
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        uint16_t fine = TCNT1;
        uint32_t coarse = (uint32_t)TCNT3 << COARSE_SHIFT;
        now = coarse + (uint32_t)(int16_t)(fine - (uint16_t)coarse);
        now = count += (now - count) & COUNT_MASK;
    }
    return now;
}
