/* Two interrupts of timer 0 at one count, and a third from a pin. */

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

volatile uint8_t order[8];
volatile uint8_t taken;

static void note(uint8_t which) {
    order[taken++ & 7] = which;
}

ISR(TIMER0_COMPA_vect) {
    note('A');
}

ISR(TIMER0_COMPB_vect) {
    note('B');
}

ISR(TIMER0_OVF_vect) {
    note('O');
    TCCR0B = 0;
}

ISR(INT2_vect) {
    note('2');
}

void __attribute__((noinline)) done(void) {
    for (;;) {
    }
}

int main(void) {
    EICRA = _BV(ISC21) | _BV(ISC20);
    EIMSK = _BV(INT2);
    OCR0A = 100;
    OCR0B = 100;
    TIMSK0 = _BV(OCIE0A) | _BV(OCIE0B) | _BV(TOIE0);
    TCCR0B = _BV(CS00);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
    while (taken < 4) {
        sleep_mode();
    }
    done();
    return 0;
}
