@ Stores to and loads from one address, with 0 to 7 cycles between them, from SRAM.
@ arguments: VPBDIV, the address.
    .arm
    .text
    .global stores, loads, ruler

    .macro set_up
    ldr r1, =arguments
    ldr r2, [r1]
    ldr r0, [r1, #4]
    ldr r3, =0xE01FC100
    str r2, [r3]
    mov r2, #0
    .endm

    .macro spread instruction
    .irp cycles, 0, 1, 2, 3, 4, 5, 6, 7
    .rept \cycles
    mov r0, r0
    .endr
    \instruction
    .endr
    bx lr
    .endm

stores:
    set_up
    .global first_store
first_store:
    spread "str r2, [r0]"
loads:
    set_up
    .global first_load
first_load:
    spread "ldr r2, [r0]"

@ Readings of the measurement timer, at r0, into `values`.
ruler:
    ldr r0, =0x3FFF8000
    ldr r1, =values
    .rept 4
    ldr r2, [r0]
    str r2, [r1], #4
    .endr
    ldr r2, [r0, #4]
    str r2, [r1]
    bx lr
    .ltorg
