; Leaves a fragment early (docs/how-to/blocks.md). Where the lab has put an RJMP to fragment_left in the place of an
; instruction, control goes back to the caller of fragment_leave, with the registers that a call must preserve. The
; link puts it beside the fragment, as RJMP reaches 4 KB.
#include "call_saved.inc"

    .section .text.leave, "ax"

; void fragment_leave(void (*execute)(void)): one execution. Comes back from wherever it is left, at the latest from
; its end.
    .global fragment_leave
    .type fragment_leave, @function
fragment_leave:
    push_call_saved
    keep_stack stack
    movw r30, r24
    eicall
fragment_leave.returned:
    rjmp fragment_left

    .global fragment_left
fragment_left:
    restore_call_saved stack
    ret
    .size fragment_leave, . - fragment_leave

    .section .bss
stack:
    .space 2
