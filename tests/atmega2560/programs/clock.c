/* The clock divided by 16: 1 MHz. */

#include <avr/io.h>
#include <avr/power.h>

void __attribute__((noinline)) done(void) {
    for (;;) {
    }
}

int main(void) {
    clock_prescale_set(clock_div_16);
    DDRB = _BV(7);
    PINB = _BV(7);
    done();
    return 0;
}
