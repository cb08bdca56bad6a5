/* The exceptions' vectors and start-up of a Cortex-M3 (ARM DDI 0403, B1.5). A board's interrupts follow the vectors, in
 * .vectors.interrupts. */
#define FAULT_UNDEFINED 1
#define FAULT_PREFETCH 2
#define FAULT_DATA 3
#define FAULT_INTERRUPT 4
#define CFSR 0xE000ED28
#define USAGE_FAULTS 0xFFFF0000
#define FETCH_FAULTS 0x00000101       /* IBUSERR and IACCVIOL */
#define ON_PROCESS_STACK 4            /* a bit of EXC_RETURN */
#define STACKED_PC 24

    .syntax unified
    .thumb
    .section .vectors, "a"
    .global vectors
vectors:
    .word svc_stack_top
    .word start
    .word fault_taken                 /* NMI */
    .word fault_taken                 /* HardFault, to which the others escalate */
    .word fault_taken
    .word fault_taken
    .word fault_taken
    .word 0, 0, 0, 0
    .word svcall_taken
    .word interrupt_taken
    .word 0
    .word pendsv_taken
    .word systick_taken

    .section .text.start, "ax"
    .global start
    .type start, %function
start:
    ldr r0, =data_load
    ldr r1, =data_begin
    ldr r2, =data_end
1:  cmp r1, r2
    itt lo
    ldrlo r3, [r0], #4
    strlo r3, [r1], #4
    blo 1b

    ldr r1, =bss_begin
    ldr r2, =bss_end
    movs r3, #0
2:  cmp r1, r2
    it lo
    strlo r3, [r1], #4
    blo 2b

    bl main
3:  b 3b                              /* main does not return */
    .size start, . - start

/* Exceptions without a handler: r0 is the cause of docs/reference/wire.md, r1 the address of the instruction. */
    .global fault_taken
    .type fault_taken, %function
fault_taken:
    ldr r2, =CFSR
    ldr r2, [r2]
    movs r0, #FAULT_DATA
    ldr r3, =FETCH_FAULTS
    tst r2, r3
    it ne
    movne r0, #FAULT_PREFETCH
    ldr r3, =USAGE_FAULTS
    tst r2, r3
    it ne
    movne r0, #FAULT_UNDEFINED
    b report
    .size fault_taken, . - fault_taken

    .weak pendsv_taken
    .weak systick_taken
    .global interrupt_taken
    .type interrupt_taken, %function
pendsv_taken:
systick_taken:
interrupt_taken:
    movs r0, #FAULT_INTERRUPT
report:
    cpsid i
    tst lr, #ON_PROCESS_STACK
    ite eq
    mrseq r2, msp
    mrsne r2, psp
    ldr r3, =svc_stack_end            /* a frame that could not be stacked lies outside */
    ldr r1, =svc_stack_top
    cmp r2, r1
    it lo
    ldrlo r1, [r2, #STACKED_PC]
    ldr r2, =svc_stack_top
    msr msp, r2
    ldr r2, =exception_taken
    bx r2
    .size interrupt_taken, . - interrupt_taken
    .ltorg
