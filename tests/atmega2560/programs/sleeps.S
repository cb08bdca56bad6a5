; Sleeps once in the mode MODE (SM2:0), until INT0 requests.

#include <avr/io.h>

.section .vectors, "ax"
.global main
main:
    rjmp start
.org 4 * (INT0_vect_num)
    reti
.org 0x100
start:
    ldi r16, 0x03
    sts EICRA, r16
    ldi r16, 1
    out _SFR_IO_ADDR(EIMSK), r16
    ldi r16, (MODE << 1) | 1
    out _SFR_IO_ADDR(SMCR), r16
    sei
    sleep
    nop
.global done
done:
    rjmp done
