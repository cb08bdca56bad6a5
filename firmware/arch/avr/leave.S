; Leaves a fragment early (docs/how-to/blocks.md). Where the lab has put an RJMP to fragment_left in the place of an
; instruction, control goes back to the caller of fragment_leave, with the registers that a call must preserve. The
; link puts it beside the fragment, as RJMP reaches 4 KB.
#include <avr/io.h>

    .section .text.leave, "ax"

; void fragment_leave(void (*execute)(void)): one execution. Comes back from wherever it is left, at the latest from
; its end.
    .global fragment_leave
    .type fragment_leave, @function
fragment_leave:
    .irp number, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29
    push r\number
    .endr
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
    sts stack, r30
    sts stack + 1, r31
    movw r30, r24
    eicall
fragment_leave.returned:
    rjmp fragment_left

    .global fragment_left
fragment_left:
    in r18, _SFR_IO_ADDR(SREG)
    lds r30, stack
    lds r31, stack + 1
    cli                               ; both halves of the stack's pointer at once
    out _SFR_IO_ADDR(SPH), r31
    out _SFR_IO_ADDR(SREG), r18       ; takes effect behind the next instruction
    out _SFR_IO_ADDR(SPL), r30
    clr r1
    .irp number, 29, 28, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2
    pop r\number
    .endr
    ret
    .size fragment_leave, . - fragment_leave

    .section .bss
stack:
    .space 2
