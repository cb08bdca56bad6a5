; A pulse on the pin of `cyclescope time` around code of 100 cycles.

#include <avr/io.h>

.section .vectors, "ax"
.global main
main:
    ldi r16, 1
    sts DDRL, r16
.global toggles
toggles:
    sts PINL, r16
.global code
code:
.rept 100
    nop
.endr
.global toggles_again
toggles_again:
    sts PINL, r16
.global done
done:
    rjmp done
