; The arguments of a call that is timed (docs/how-to/fragments.md): the compiler makes them, once for each measurement
; and untimed, by calling fragment_captured in place of the function. The passed values, in r8 to r25 and on the stack,
; are kept while the measurement runs; fragment_load gives the same to each execution.
#include "call_saved.inc"

#define REGISTERS 18 /* r8 to r25 */
#define RETURN_BYTES 3

    .section .text.arguments, "ax"

; void fragment_arguments(void (*measure)(struct timing *), struct timing *timing): makes the arguments, then measures.
; The user's call does not end: whatever surrounds it is left as a jump would leave it.
    .global fragment_arguments
    .type fragment_arguments, @function
fragment_arguments:
    push_call_saved
    keep_stack stack                  ; all that comes to lie below may be arguments
    sts measure, r24
    sts measure + 1, r25
    sts timing, r22
    sts timing + 1, r23
    call fragment_call

    .global fragment_captured
    .type fragment_captured, @function
fragment_captured:
    .rept RETURN_BYTES
    pop r0
    .endr
; The record, from its end on: what is on the stack already, r25 to r8, bytes on the stack.
    .irp number, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8
    push r\number
    .endr
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
    adiw r30, REGISTERS
    lds r26, stack
    lds r27, stack + 1
    sub r26, r30
    sbc r27, r31
    push r27
    push r26
    in r30, _SFR_IO_ADDR(SPL)
    in r31, _SFR_IO_ADDR(SPH)
    adiw r30, 1
    sts fragment_record, r30
    sts fragment_record + 1, r31
    lds r24, timing
    lds r25, timing + 1
    lds r30, measure
    lds r31, measure + 1
    eicall
    restore_call_saved stack
    ret
    .size fragment_arguments, . - fragment_arguments

    .weak fragment_initialise
    .global fragment_initialise_and_load
    .type fragment_initialise_and_load, @function
fragment_initialise_and_load:
    call fragment_initialise

    .global fragment_load
    .type fragment_load, @function
fragment_load:
    lds r30, fragment_record
    lds r31, fragment_record + 1
    ld r24, Z+
    ld r25, Z+
    movw r22, r30                     ; where the registers lie
    adiw r30, REGISTERS
    in r26, _SFR_IO_ADDR(SPL)
    in r27, _SFR_IO_ADDR(SPH)
    adiw r26, RETURN_BYTES + 1
1:  sbiw r24, 1
    brcs 2f
    ld r0, Z+
    st X+, r0
    rjmp 1b
2:  movw r30, r22
    .irp number, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25
    ld r\number, Z+
    .endr
    ret
    .size fragment_initialise_and_load, . - fragment_initialise_and_load

    .section .bss
stack:
    .space 2
measure:
    .space 2
timing:
    .space 2
    .global fragment_record
fragment_record:
    .space 2
