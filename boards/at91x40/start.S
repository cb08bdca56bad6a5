/* Vectors and start-up of the AT91x40 (AT91X40 data sheet, ARM7TDMI reference manual). In ARM state throughout. */
#include "registers.h"

#define MODE_IRQ 0x12
#define MODE_SVC 0x13
#define INTERRUPTS_OFF 0xC0
#define STATE_THUMB 0x20

    .arm
/* A reset begins here: chip select 0 answers at address 0. The code works wherever it lies. */
    .section .boot, "ax"
boot:
    ldr r0, =EBI_BASE
    ldr r1, =CSR_VALUE(ROM_BASE, ROM_WAITS)
    str r1, [r0, #EBI_CSR0]
    ldr r1, =CSR_VALUE(RAM_BASE, RAM_WAITS)
    str r1, [r0, #EBI_CSR1]
    mov r1, #0                        /* all eight chip selects; standard read */
    str r1, [r0, #EBI_MCR]
    mov r1, #1
    ldr r2, =start
    str r1, [r0, #EBI_RCR]
    mov pc, r2                        /* fetched before the ROM left address 0 */
    .ltorg

/* The first bytes of the RAM on the chip, which is at address 0 after the remap. */
    .section .vectors, "ax"
    .global vectors
vectors:
    ldr pc, start_address
    ldr pc, undefined_address
    ldr pc, software_interrupt_address
    ldr pc, prefetch_abort_address
    ldr pc, data_abort_address
    .word 0
    ldr pc, [pc, #-0xF20]             /* IRQ: AIC_IVR */
    ldr pc, fiq_address
start_address:              .word start
undefined_address:          .word undefined_taken
software_interrupt_address: .word software_interrupt /* the kernel's */
prefetch_abort_address:     .word prefetch_abort_taken
data_abort_address:         .word data_abort_taken
fiq_address:                .word interrupt_taken

    .section .text.start, "ax"
    .global start
    .type start, %function
start:
    msr cpsr_c, #MODE_IRQ | INTERRUPTS_OFF
    ldr sp, =irq_stack_top
    msr cpsr_c, #MODE_SVC | INTERRUPTS_OFF
    ldr sp, =svc_stack_top

    ldr r12, =copies                  /* vectors, code and data: from the ROM to where they run */
1:  ldmia r12!, {r0-r2}               /* from, to, end; to 0, the table's end */
    cmp r2, #0
    beq 3f
    cmp r0, r1
    beq 1b                            /* it runs where it was loaded */
2:  cmp r1, r2
    ldmloia r0!, {r3-r10}
    stmloia r1!, {r3-r10}
    blo 2b
    b 1b

3:  ldr r1, =bss_begin
    ldr r2, =bss_end
    mov r3, #0
4:  cmp r1, r2
    strlo r3, [r1], #4
    blo 4b

    ldr r0, =main
    mov lr, pc
    bx r0
5:  b 5b                              /* main does not return */
    .ltorg
copies:
    .word vectors_load, vectors_begin, vectors_end
    .word code_load, code_begin, code_end
    .word data_load, data_begin, data_end
    .word 0, 0, 0

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
