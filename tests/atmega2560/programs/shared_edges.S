; 8 rounds of the paper's section 3.1, whose two intervals share the middle edge: one execution
; between the first two edges of PL0, two between the last two. Then PL0 is low again.

#include <avr/io.h>

.macro toggle
    lds r18, PORTL
    eor r18, r17
    sts PORTL, r18
.endm

.section .vectors, "ax"
.global main
main:
    ldi r17, 1
    sts DDRL, r17
    ldi r20, 8
again:
    toggle
    call routine
    toggle
    call routine
    call routine
    toggle
    ldi r21, 200
rest:
    dec r21
    brne rest
    sts PORTL, r1
    dec r20
    brne again
.global done
done:
    rjmp done

; 100 cycles with call (5) and ret (5).
routine:
    ldi r24, 29
1:  dec r24
    brne 1b
    nop
    nop
    nop
    ret
