/* Vectors and start-up of the LPC2148 (UM10139, ARM7TDMI-S reference manual). In ARM state throughout. */
#include "registers.h"

#define MODE_IRQ 0x12
#define MODE_SVC 0x13
#define INTERRUPTS_OFF 0xC0
#define STATE_THUMB 0x20

    .arm
    .section .vectors, "ax"
    .global vectors
vectors:
    ldr pc, start_address
    ldr pc, undefined_address
    ldr pc, software_interrupt_address
    ldr pc, prefetch_abort_address
    ldr pc, data_abort_address
    .word -(6 * 0xE59FF018 + 0xE51FFFF0) & 0xFFFFFFFF /* makes the sum of the vectors 0: a valid image */
    ldr pc, [pc, #-0xFF0]             /* IRQ: VICVectAddr */
    ldr pc, fiq_address
start_address:              .word start
undefined_address:          .word undefined_taken
software_interrupt_address: .word software_interrupt /* the kernel's */
prefetch_abort_address:     .word prefetch_abort_taken
data_abort_address:         .word data_abort_taken
                            .word 0, 0
fiq_address:                .word interrupt_taken

    .section .text.start, "ax"
    .global start
    .type start, %function
start:
    msr cpsr_c, #MODE_IRQ | INTERRUPTS_OFF
    ldr sp, =irq_stack_top
    msr cpsr_c, #MODE_SVC | INTERRUPTS_OFF
    ldr sp, =svc_stack_top

    ldr r0, =data_load
    ldr r1, =data_begin
    ldr r2, =data_end
1:  cmp r1, r2
    ldrlo r3, [r0], #4
    strlo r3, [r1], #4
    blo 1b

    ldr r1, =bss_begin
    ldr r2, =bss_end
    mov r3, #0
2:  cmp r1, r2
    strlo r3, [r1], #4
    blo 2b

    ldr r0, =main
    mov lr, pc
    bx r0
3:  b 3b                              /* main does not return */
    .ltorg

/* Exceptions without a handler: r0 is the cause of docs/reference/wire.md, r1 the address of the instruction. */
undefined_taken:
    mrs r1, spsr
    tst r1, #STATE_THUMB
    subeq r1, lr, #4
    subne r1, lr, #2
    mov r0, #1
    b report
prefetch_abort_taken:
    sub r1, lr, #4
    mov r0, #2
    b report
data_abort_taken:
    sub r1, lr, #8
    mov r0, #3
    b report
    .global interrupt_taken
interrupt_taken:
    sub r1, lr, #4
    mov r0, #4
report:
    msr cpsr_c, #MODE_SVC | INTERRUPTS_OFF
    ldr sp, =svc_stack_top
    ldr r2, =exception_taken
    bx r2
    .ltorg
