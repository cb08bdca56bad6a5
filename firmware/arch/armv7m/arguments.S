/* The arguments of a call that is timed (docs/how-to/fragments.md): the compiler makes them, once for each measurement and
 * untimed, by calling fragment_captured in place of the function. The passed values, in r0 to r3 and on the stack,
 * are kept while the measurement runs; fragment_load gives the same to each execution. */
#define BYTES_KEPT 16                 /* r0 to r3 */
#define STACK 40                      /* its place in the context */

    .syntax unified
    .thumb
    .section .text.arguments, "ax"

/* void fragment_arguments(void (*measure)(struct timing *), struct timing *timing): makes the arguments, then
 * measures. The user's call does not end: whatever surrounds it is left as a jump would leave it. */
    .global fragment_arguments
    .type fragment_arguments, %function
fragment_arguments:
    ldr r2, =context
    stmia r2!, {r0-r1, r4-r11}
    mov r3, sp
    stmia r2!, {r3, lr}
    bl fragment_call
    .size fragment_arguments, . - fragment_arguments

    .global fragment_captured
    .type fragment_captured, %function
fragment_captured:
    push {r0-r3}
    ldr r0, =context
    ldr r1, [r0, #STACK]              /* sp before the call was made: all that lies below may be arguments */
    mov r2, sp
    subs r1, r1, r2
    subs r1, #BYTES_KEPT
    push {r0-r1}                      /* the record: bytes on the stack, r0 to r3, what is on the stack */
    add r1, sp, #4
    ldr r2, =fragment_record
    str r1, [r2]
    ldmia r0, {r2-r3}
    mov r0, r3
    blx r2
    ldr r0, =context
    ldmia r0!, {r1-r2, r4-r11}
    ldmia r0, {r1, lr}
    mov sp, r1
    bx lr
    .size fragment_captured, . - fragment_captured
    .ltorg

    .bss
    .balign 4
context:
    .space 48
    .global fragment_record
fragment_record:
    .space 4
