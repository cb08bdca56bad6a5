/* Sends a line at 115,200 baud (UBRR 16, U2X) by the data register empty interrupt, then echoes one
 * character. */

#include <avr/interrupt.h>
#include <avr/io.h>

static const char text[] = "Hello, world\n";
static volatile uint8_t sent;

ISR(USART0_UDRE_vect) {
    if (text[sent]) {
        UDR0 = (uint8_t)text[sent++];
    } else {
        UCSR0B &= (uint8_t)~_BV(UDRIE0);
    }
}

void __attribute__((noinline)) done(void) {
    for (;;) {
    }
}

int main(void) {
    UBRR0 = 16;
    UCSR0A = _BV(U2X0);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(UDRIE0);
    sei();
    while (!(UCSR0A & _BV(RXC0))) {
    }
    UCSR0A = _BV(U2X0) | _BV(TXC0);
    UDR0 = (uint8_t)(UDR0 + 1);
    while (!(UCSR0A & _BV(TXC0))) {
    }
    done();
    return 0;
}
