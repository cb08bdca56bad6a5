; Starts timer 1 at the division SELECT, PHASE cycles behind a reset of the prescaler, and reads it WAIT cycles later.

#include <avr/io.h>

.section .bss
.global seen
seen: .space 2

.section .vectors, "ax"
.global main
main:
    ldi r16, 1
    ldi r18, SELECT
    out _SFR_IO_ADDR(GTCCR), r16
.rept PHASE
    nop
.endr
    sts TCCR1B, r18
.rept WAIT
    nop
.endr
    lds r24, TCNT1L
    lds r25, TCNT1H
    sts seen, r24
    sts seen + 1, r25
.global done
done:
    rjmp done
