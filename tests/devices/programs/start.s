@ Start-up shared by all programs: vectors in SRAM, PCLK = CCLK, then the function whose address the host
@ has written to `scenario`. It ends at `done`. LPC214x user manual (UM10139), memory map.
    .arm
    .section .vectors, "ax"
    .global vector_irq, vector_fiq
    b start
    b .
    b .
    b .
    b .
    b .
vector_irq:
    ldr pc, [pc, #-0xFF0]   @ VICVectAddr
vector_fiq:
    ldr pc, [pc]
    .word 0
    .word fast_handler

    .section .text.start, "ax"
    .global start, done, spin
    .weak fast_handler
start:
    ldr r0, =0xE01FC000
    mov r1, #2
    str r1, [r0, #0x40]     @ MEMMAP: SRAM's vectors at 0
    mov r1, #1
    str r1, [r0, #0x100]    @ VPBDIV: PCLK = CCLK
    msr cpsr_c, #0xD2       @ IRQ mode, IRQ and FIQ off
    ldr sp, =0x40007F00
    msr cpsr_c, #0xD1
    ldr sp, =0x40007E00
    msr cpsr_c, #0xD3
    ldr sp, =0x40007D00
    ldr r0, =scenario
    ldr r0, [r0]
    mov lr, pc
    bx r0
done:
    b done

@ Lets IRQ and FIQ in and waits; three cycles a turn.
spin:
    msr cpsr_c, #0x13
spinning:
    b spinning
    .global spinning
    .ltorg

    .section .bss
    .global scenario, arguments, values
scenario:
    .space 4
arguments:                  @ what the host gives the scenario
    .space 32
values:                     @ what the scenario gives the host
    .space 1024
