/* The reference of one second: Timer1 clears itself at OCR1A and toggles OC1A, which is pin PB5. */
#include "reference.h"

#include "registers.h"

enum { PRESCALER = BOARD_CORE_HZ <= 4000000 ? 64 : 256 };
_Static_assert(BOARD_CORE_HZ % PRESCALER == 0 && BOARD_CORE_HZ / PRESCALER <= 65536,
               "a second is a whole number of counts, of 16 bits");

void reference_start(void) {
    DDRB |= _BV(PB5);
    OCR1A = (uint16_t)(BOARD_CORE_HZ / PRESCALER - 1);
    TCCR1A = _BV(COM1A0);
    TCCR1B = _BV(WGM12) | (PRESCALER == 64 ? _BV(CS11) | _BV(CS10) : _BV(CS12));
}
