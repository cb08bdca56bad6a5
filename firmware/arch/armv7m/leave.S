/* Leaves a fragment early (docs/how-to/blocks.md). Where the lab has put an SVC in the place of an instruction, control
 * goes back to the caller of fragment_leave, with the registers that it had kept. For images without a kernel, where
 * everything is on the main stack. */
#define STACK 32                      /* places in the context */
#define RETURN_ADDRESS 36
#define FRAME_BYTES 32
#define FRAME_PC 24
#define FRAME_XPSR 28
#define XPSR_THUMB 0x01000000

    .syntax unified
    .thumb
    .section .text.leave, "ax"

/* void fragment_leave(void (*execute)(void)): one execution. Comes back from wherever it is left, at the latest from
 * its end. */
    .global fragment_leave
    .type fragment_leave, %function
fragment_leave:
    ldr r1, =context
    stmia r1!, {r4-r11}
    mov r2, sp
    stmia r1!, {r2, lr}
    blx r0
fragment_leave.returned:
    svc 0
    .size fragment_leave, . - fragment_leave

/* The exception returns by a frame below the stack of that caller. */
    .global svcall_taken
    .type svcall_taken, %function
svcall_taken:
    ldr r0, =context
    ldr r1, [r0, #RETURN_ADDRESS]
    cmp r1, #0
    beq.w interrupt_taken             /* nothing to leave */
    ldr r2, [r0, #STACK]
    ldmia r0, {r4-r11}
    movs r3, #0
    str r3, [r0, #RETURN_ADDRESS]
    subs r2, #FRAME_BYTES
    bic r1, r1, #1
    str r1, [r2, #FRAME_PC]
    mov r3, #XPSR_THUMB
    str r3, [r2, #FRAME_XPSR]
    msr msp, r2
    bx lr
    .size svcall_taken, . - svcall_taken
    .ltorg

    .bss
    .balign 4
context:
    .space 40
