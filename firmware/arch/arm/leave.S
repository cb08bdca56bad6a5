/* Leaves a fragment early (docs/how-to/blocks.md). Where the lab has put an SWI in the place of an instruction, control
 * goes back to the caller of fragment_leave, with the registers that it had kept. For images without a kernel, where
 * everything is in supervisor mode (ARM7TDMI data sheet: SWI). */
#define STATE_THUMB 0x20
#define RETURN_ADDRESS 36 /* its place in the context */

    .arm
    .section .text.leave, "ax"

/* void fragment_leave(void (*execute)(void)): one execution. Comes back from wherever it is left, at the latest from
 * its end. */
    .global fragment_leave
    .type fragment_leave, %function
fragment_leave:
    ldr r1, =context
    stmia r1, {r4-r11, sp, lr}
    mov lr, pc
    bx r0
fragment_leave.returned:
    swi 0

    .global software_interrupt
    .type software_interrupt, %function
software_interrupt:
    ldr r0, =context
    ldr r1, [r0, #RETURN_ADDRESS]
    teq r1, #0
    beq interrupt_taken               /* nothing to leave */
    ldmia r0, {r4-r11, sp, lr}
    mov r1, #0
    str r1, [r0, #RETURN_ADDRESS]
    mrs r1, spsr                      /* the interrupt masks as they were, in ARM state */
    bic r1, r1, #STATE_THUMB
    msr cpsr_c, r1
    bx lr
    .ltorg

    .bss
    .balign 4
context:
    .space 40
