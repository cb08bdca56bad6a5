/* Sets the stack and the data, runs the job, and stays. Thumb code is entered by BX. */
    .syntax unified
    .arm
    .section .start, "ax"
    .global start, finished
start:
    ldr sp, =stack
    ldr r0, =data_from
    ldr r1, =data_to
    ldr r2, =data_end
copy:
    cmp r1, r2
    ldrlo r3, [r0], #4
    strlo r3, [r1], #4
    blo copy
    ldr r0, =main
    mov lr, pc
    bx r0
#ifdef SEMIHOSTING
    mov r0, #0x18
    ldr r1, =0x20026
    svc #0x123456
#endif
finished:
    b finished
