/* Work that is interrupted: by pins, a timer and itself, within handlers, behind critical sections,
 * asleep. The timer starts at `started`. */

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdlib.h>
#include <string.h>
#include <util/atomic.h>

#define BYTES 6

volatile uint16_t taken[6];
volatile uint16_t deepest;
volatile uint32_t sum;
static volatile uint8_t depth, asked;

static void note(uint8_t which) {
    depth++;
    if (depth > deepest) {
        deepest = depth;
    }
    taken[which]++;
    depth--;
}

ISR(INT0_vect) {
    note(0);
}

/* Others may interrupt this one. */
ISR(INT1_vect, ISR_NOBLOCK) {
    depth++;
    taken[1]++;
    for (uint8_t i = 0; i < 12; i++) {
        sum += (uint32_t)i * taken[1];
    }
    depth--;
}

ISR(INT2_vect) {
    note(2);
    asked = 1;
}

/* The program asks for this one by an output. */
ISR(INT6_vect) {
    note(3);
}

ISR(PCINT0_vect) {
    note(4);
}

ISR(TIMER0_COMPA_vect) {
    note(5);
}

static int by_value(const void *one, const void *two) {
    return *(const uint8_t *)one - *(const uint8_t *)two;
}

static void work(uint8_t round) {
    uint8_t bytes[BYTES];
    for (uint8_t i = 0; i < BYTES; i++) {
        bytes[i] = (uint8_t)(i * 73 + round);
    }
    qsort(bytes, BYTES, 1, by_value);
    uint32_t product = 1;
    for (uint8_t i = 0; i < BYTES; i++) {
        product = product * 31 + bytes[i];
        product /= bytes[i] | 1;
    }
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        sum += product;
    }
}

/* Requests INT6 while interrupts are off. */
static void ask_oneself(void) {
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE) {
        PORTE |= _BV(6);
        PORTE &= (uint8_t)~_BV(6);
        sum++;
    }
}

static void sleep_until_asked(void) {
    cli();
    asked = 0;
    while (!asked) {
        sleep_enable();
        sei();
        sleep_cpu();
        sleep_disable();
        cli();
    }
    sei();
}

int main(void) {
    DDRE = _BV(6);
    EICRA = _BV(ISC01) | _BV(ISC00) | _BV(ISC11) | _BV(ISC20);
    EICRB = _BV(ISC61) | _BV(ISC60);
    PCMSK0 = _BV(PCINT0);
    PCICR = _BV(PCIE0);
    EIFR = 0xFF;
    PCIFR = 0xFF;
    EIMSK = _BV(INT0) | _BV(INT1) | _BV(INT2) | _BV(INT6);
    OCR0A = TOP;
    TIMSK0 = _BV(OCIE0A);
    TCCR0A = _BV(WGM01);
    sei();
    TCCR0B = CLOCK;
    __asm__ volatile(".global started\nstarted:");
    for (uint8_t round = 0;; round++) {
        work(round);
        ask_oneself();
        if (round % 4 == 3) {
            sleep_until_asked();
        }
    }
}
