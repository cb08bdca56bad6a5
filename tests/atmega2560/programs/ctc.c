/* The program of simavr's issue 125: CTC up to 25 at clk/1024; each handler writes OCR2A anew, and
 * every second one waits for 1 ms. PB3 toggles. */

#include <avr/interrupt.h>
#include <avr/io.h>
#include <util/delay.h>

ISR(TIMER2_COMPA_vect) {
    static uint8_t waits;
    PORTB ^= _BV(3);
    if (waits) {
        _delay_ms(1.0);
    }
    waits = !waits;
    OCR2A = 25;
}

int main(void) {
    sei();
    DDRB |= _BV(3);
    OCR2A = 25;
    TIMSK2 = _BV(OCIE2A);
    TCCR2A = _BV(WGM21);
    TCCR2B = _BV(CS22) | _BV(CS21) | _BV(CS20);
    for (;;) {
    }
}
