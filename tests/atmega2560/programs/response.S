; Requests that wait behind SEI, behind RETI, and behind a write to SREG that sets I. Then an instruction of one cycle
; executes before the response.

#include <avr/io.h>

.macro request bit
    sbi _SFR_IO_ADDR(PORTE), \bit
    cbi _SFR_IO_ADDR(PORTE), \bit
.endm

.macro nops
.rept 6
    nop
.endr
.endm

.section .vectors, "ax"
.global main
main:
    rjmp start
.org 4 * (INT6_vect_num)
.global vector6
vector6:
    rjmp handler
.org 4 * (INT7_vect_num)
.global vector7
vector7:
    rjmp handler
.org 0x100
handler:
.global behind_reti
behind_reti:
    reti
start:
    ldi r16, 0xC0
    out _SFR_IO_ADDR(DDRE), r16
    ldi r17, 0xF0
    sts EICRB, r17
    out _SFR_IO_ADDR(EIFR), r16
    out _SFR_IO_ADDR(EIMSK), r16
    request 6
    request 7
    nops
.global behind_sei
behind_sei:
    sei
    nops
    cli
    request 6
    nops
    in r18, _SFR_IO_ADDR(SREG)
    ori r18, 0x80
.global behind_sreg
behind_sreg:
    out _SFR_IO_ADDR(SREG), r18
    nops
    rjmp .-2
