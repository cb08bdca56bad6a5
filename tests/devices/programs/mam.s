@ Code and data in flash behind the MAM (LPC214x user manual, UM10139), with known places in lines of 16 bytes.
@ arguments: MAMCR, MAMTIM, where to go, an address for r0.
    .arm
    .text
    .global go, leap, primed, words, halves, bytes
go:
    ldr r6, =0xE01FC000
    ldr r1, =arguments
    ldmia r1, {r2-r5}
    mov r7, #0
    str r7, [r6]            @ MAMTIM changes only while the MAM is off
    str r3, [r6, #4]
    str r2, [r6]
    mov r0, r5
    mov r5, #4              @ turns of a loop
leap:
    bx r4

@ The line at r0 is in the data buffer when `mixed` begins.
primed:
    ldr r1, [r0]
    ldr r2, =mixed
    bx r2

@ Data read by code in SRAM.
words:
    .rept 12
    ldr r1, [r0], #4
    .endr
    bx lr
halves:
    .rept 20
    ldrh r1, [r0], #2
    .endr
    bx lr
bytes:
    .rept 36
    ldrb r1, [r0], #1
    .endr
    bx lr
    .ltorg

    .section .flash, "ax"
    .macro line name
    .balign 16
    .global \name
\name:
    .endm
    .macro nops count
    .rept \count
    mov r1, r1
    .endr
    .endm

    line straight
    nops 15
    bx lr

    line shifts             @ an internal cycle in each
    .rept 15
    mov r1, r1, lsl r2
    .endr
    bx lr

    line stores             @ to SRAM: the fetch behind is not sequential
    nops 1
    str r1, [r0]
    nops 2
    str r1, [r0]
    nops 2
    bx lr

    line leaves
    b far
    nops 7
    line far
    nops 7
    bx lr

    line leaves_for_next
    b next_line
    nops 3
    line next_line
    nops 3
    bx lr

    line leaves_for_end
    b end_of_line
    nops 10
    .global end_of_line
end_of_line:
    nops 1
    bx lr

    line tight              @ one line
    subs r5, r5, #1
    bne tight
    bx lr

    line short              @ two lines, the fetches behind its end included
    subs r5, r5, #1
    nops 4
    bne short
    bx lr

    line long               @ three lines, the fetches behind its end included
    subs r5, r5, #1
    nops 6
    bne long
    bx lr

    line mixed
    ldr r1, [r0]
    nops 7
    bx lr

    .thumb
    line thumb
    .rept 23
    mov r1, r1
    .endr
    bx lr

    .balign 16
    .global table
table:
    .space 64
