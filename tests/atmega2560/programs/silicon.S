; Programs of which chips have been read, behind PHASE cycles. SCENARIO selects one.

#include <avr/io.h>

.section .bss
.global seen
seen: .space 1

.section .vectors, "ax"
.global main
main:
    clr r1
    ldi r16, 1
    ldi r17, 0
.rept PHASE
    nop
.endr
#if SCENARIO == 36
    out _SFR_IO_ADDR(TCCR0A), r1
    out _SFR_IO_ADDR(TCCR0B), r16
    out _SFR_IO_ADDR(TCNT0), r1
    in r17, _SFR_IO_ADDR(TCNT0)
#elif SCENARIO == 40
    sts TCCR2A, r1
    sts TCCR2B, r16
    sts TCNT2, r1
    nop
    lds r17, TCNT2
#elif SCENARIO == 41
    sts TCCR2B, r16
    nop
    lds r17, TCNT2
#elif SCENARIO == 72
    sts TCCR2B, r16
    sts TCCR2B, r1
    nop
    nop
    lds r17, TCNT2
#endif
    sts seen, r17
.global done
done:
    rjmp done
