; PB7 as fast as a loop toggles it, and what a read behind a write sees.

#include <avr/io.h>

.section .bss
.global seen
seen: .space 2

.section .vectors, "ax"
.global main
main:
    ser r16
    out _SFR_IO_ADDR(DDRB), r16
    out _SFR_IO_ADDR(PORTB), r16
    in r18, _SFR_IO_ADDR(PINB)
    in r19, _SFR_IO_ADDR(PINB)
    sts seen, r18
    sts seen + 1, r19
    ldi r20, 100
again:
    sbi _SFR_IO_ADDR(PINB), 7
    dec r20
    brne again
.global done
done:
    rjmp done
