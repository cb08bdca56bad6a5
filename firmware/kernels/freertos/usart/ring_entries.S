/* Entries for one character. Each takes it from the USART to the ring. Behind the last character of a frame it
 * notes how far the reader may read, and requests the interrupt of software. In ARM state. */
#include "ring.h"
#include "variants.h"

#define USART 0xFFFCC000
#define US_IDR 0x0C
#define US_RHR 0x18
#define US_THR 0x1C
#define TXRDY (1 << 1)
#define AIC_BASE 0xFFFFF000
#define AIC_SMR0 0x000
#define AIC_SVR0 0x080
#define AIC_SVR3 0x08C
#define AIC_IECR 0x120
#define AIC_IDCR 0x124
#define AIC_ISCR 0x12C
#define EOICR_BEHIND_ISCR 4
#define SOFTWARE (1 << 1)
#define FRAME_END 0xC1
#define MODE_FIQ 0x11
#define MODE_IRQ 0x12
#define MODE_SYSTEM 0x1F
#define MASKED 0xC0
#define HIGH_LEVEL (2 << 5)
#define FAST_SOURCE 0
#define USART_SOURCE 3
#define FIQ_VECTOR 0x1C

    .macro take_character to, base
#if ACCESS == ACCESS_COPROCESSOR
    mrc p7, 0, \to, c6, c0, 0
#else
    ldr \to, [\base, #US_RHR]
#endif
    .endm

    .macro send_character from, base
#if ACCESS == ACCESS_COPROCESSOR
    mcr p7, 0, \from, c7, c0, 0
#else
    str \from, [\base, #US_THR]
#endif
    .endm

#if ENTRY == ENTRY_FIQ
#define AIC_SVR AIC_SVR0
#else
#define AIC_SVR AIC_SVR3
#endif
/* The controller names this entry from now. */
    .macro enter_at entry
    ldr r2, =AIC_BASE
    ldr r3, =\entry
    str r3, [r2, #AIC_SVR]
    .endm

    .arm
    .section .text.line_entered, "ax"
    .global line_entered, line_prepare_entry
    .type line_entered, %function
    .type line_prepare_entry, %function

#if ENTRY == ENTRY_IRQ
/* Nothing is kept in registers: those it needs are saved, and the place in the ring lies in memory. */
line_entered:
    sub lr, lr, #4
    stmdb sp!, {r0-r3, lr}
    ldr r0, =USART
    take_character r1, r0
    ldr r2, =ring_place
    ldr r3, [r2]
    strb r1, [r3], #1
    ldr r0, =ring + RING_OCTETS
    cmp r3, r0
    subeq r3, r3, #RING_OCTETS
    str r3, [r2]
    ldr r0, =AIC_BASE + AIC_ISCR
    cmp r1, #FRAME_END
    ldreq r2, =ring_readable
    streq r3, [r2]
    moveq r1, #SOFTWARE
    streq r1, [r0]
    str r1, [r0, #EOICR_BEHIND_ISCR]
    ldmia sp!, {r0-r3, pc}^
    .ltorg
line_prepare_entry:
    bx lr

    .section .data.ring_place, "aw"
ring_place:
    .word ring

#else
#if ENTRY == ENTRY_FIQ
#define BASE r8
#define PLACE r9
#define END r10
#define AIC r11
#define TAKEN r12
#define READABLE r13
#define MODE MODE_FIQ
#else
/* The tick's entry, too, runs in this mode: it uses r0 to r5, and what it calls leaves r6 to r11. */
#define BASE r6
#define PLACE r7
#define END r8
#define AIC r10
#define TAKEN r0
#define READABLE r11
#define MODE MODE_IRQ
#endif
/* The mode has these registers for itself, and they stay from one interrupt to the next. */
line_entered:
    take_character TAKEN, BASE
    strb TAKEN, [PLACE], #1
    cmp PLACE, END
    subeq PLACE, PLACE, #RING_OCTETS
    cmp TAKEN, #FRAME_END
    streq PLACE, [READABLE]
    moveq TAKEN, #SOFTWARE
    streq TAKEN, [AIC]
#if ENTRY == ENTRY_CONTEXT
    str TAKEN, [AIC, #EOICR_BEHIND_ISCR]
#endif
    subs pc, lr, #4

line_prepare_entry:
#if ENTRY == ENTRY_FIQ
    /* Source 0 at a high level takes the place of the USART's own; the vector asks the controller. */
    ldr r0, =AIC_BASE
    mov r1, #HIGH_LEVEL
    str r1, [r0, #AIC_SMR0]
    ldr r1, =line_entered
    str r1, [r0, #AIC_SVR0]
    mov r1, #1 << USART_SOURCE
    str r1, [r0, #AIC_IDCR]
    mov r1, #1 << FAST_SOURCE
    str r1, [r0, #AIC_IECR]
    ldr r1, ask_controller
    mov r0, #FIQ_VECTOR
    str r1, [r0]
#endif
    msr cpsr_c, #MODE | MASKED
    ldr BASE, =USART
    ldr PLACE, =ring
    ldr END, =ring + RING_OCTETS
    ldr AIC, =AIC_BASE + AIC_ISCR
    ldr READABLE, =ring_readable
    msr cpsr_c, #MODE_SYSTEM
    bx lr
ask_controller:
    ldr pc, [pc, #-0xF20]             /* AIC_FVR, as seen from the vector */
    .ltorg
#endif

/* Lets the reader read up to the last character. */
    .section .text.line_note_place, "ax"
    .global line_note_place
    .type line_note_place, %function
line_note_place:
#if ENTRY == ENTRY_IRQ
    mrs r3, cpsr
    orr r2, r3, #MASKED
    msr cpsr_c, r2
    ldr r0, =ring_place
    ldr r0, [r0]
    ldr r1, =ring_readable
    str r0, [r1]
    msr cpsr_c, r3
#else
    msr cpsr_c, #MODE | MASKED
    str PLACE, [READABLE]
    msr cpsr_c, #MODE_SYSTEM
#endif
    bx lr
    .ltorg

/* Sends r0 up to r1, in place of receiving. Behind the last character it requests the interrupt of software. */
    .section .text.line_begin_sending, "ax"
    .global line_begin_sending, line_end_sending
    .type line_begin_sending, %function
    .type line_end_sending, %function
    .type send_entered, %function
line_begin_sending:
    ldr r2, =send_next
    stmia r2, {r0, r1}
    enter_at send_entered
#if ENTRY != ENTRY_IRQ
    msr cpsr_c, #MODE | MASKED
    str PLACE, [READABLE]
    ldr TAKEN, =send_next
    ldr PLACE, [TAKEN]
    ldr END, [TAKEN, #4]
    msr cpsr_c, #MODE_SYSTEM
#endif
    bx lr

line_end_sending:
    enter_at line_entered
#if ENTRY != ENTRY_IRQ
    msr cpsr_c, #MODE | MASKED
    ldr PLACE, [READABLE]
    ldr END, =ring + RING_OCTETS
    msr cpsr_c, #MODE_SYSTEM
#endif
    bx lr
    .ltorg

#if ENTRY == ENTRY_IRQ
send_entered:
    sub lr, lr, #4
    stmdb sp!, {r0-r3, lr}
    ldr r2, =send_next
    ldmia r2, {r0, r3}
    ldrb r1, [r0], #1
    str r0, [r2]
    ldr r2, =USART
    send_character r1, r2
    cmp r0, r3
    ldr r0, =AIC_BASE + AIC_ISCR
    moveq r1, #TXRDY
    streq r1, [r2, #US_IDR]
    moveq r1, #SOFTWARE
    streq r1, [r0]
    str r1, [r0, #EOICR_BEHIND_ISCR]
    ldmia sp!, {r0-r3, pc}^
    .ltorg
#else
send_entered:
    ldrb TAKEN, [PLACE], #1
    send_character TAKEN, BASE
    cmp PLACE, END
    moveq TAKEN, #TXRDY
    streq TAKEN, [BASE, #US_IDR]
    moveq TAKEN, #SOFTWARE
    streq TAKEN, [AIC]
#if ENTRY == ENTRY_CONTEXT
    str TAKEN, [AIC, #EOICR_BEHIND_ISCR]
#endif
    subs pc, lr, #4
#endif

    .section .bss.send_next, "aw", %nobits
send_next:
    .space 8
