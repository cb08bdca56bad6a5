@ Sets the flash accelerator, a stack and the data, and calls main.
    .section .vectors, "ax"
    .arm
    .global _start
_start:
    ldr r0, =0xE01FC000
    mov r1, #MAMTIM
    str r1, [r0, #4]
    mov r1, #MAMCR
    str r1, [r0]
    ldr sp, =0x40008000
    ldr r0, =data_begin
    ldr r1, =data_end
    ldr r2, =data_loaded
1:  cmp r0, r1
    ldrlo r3, [r2], #4
    strlo r3, [r0], #4
    blo 1b
    ldr r0, =main
    mov lr, pc
    bx r0
    .global ended
ended:
    b ended
    .ltorg
