; The first instruction of a handler behind a compare match, while the core executes one-cycle instructions (SLEEPS 0) or
; sleeps (1).

#include <avr/io.h>

.section .vectors, "ax"
.global main
main:
    rjmp start
.org 4 * (TIMER0_COMPA_vect_num)
.global handler
handler:
    rjmp done
.org 0x100
start:
    ldi r16, 0x01
    out _SFR_IO_ADDR(SMCR), r16
    ldi r16, 99
    out _SFR_IO_ADDR(OCR0A), r16
    ldi r16, 2
    sts TIMSK0, r16
    ldi r16, 1
    sei
.global started
    out _SFR_IO_ADDR(TCCR0B), r16
started:
#if SLEEPS
    sleep
#endif
.rept 400
    nop
.endr
.global done
done:
    rjmp done
