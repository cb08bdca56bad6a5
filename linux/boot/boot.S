@ SPDX-License-Identifier: MIT OR Apache-2.0
@ The stub in ROM that enters Linux: memories at their places, remap, line of the console, jump to the kernel.
@ The lab writes the words of `settings` when it composes a system.

        .syntax unified
        .arm
        .section .text
        .global _start
_start:                                 @ at 0 until the remap
        adr     r4, settings
        ldmia   r4, {r5-r11}            @ CSR0, CSR1, MCR, MR, BRGR, device tree, kernel
        ldr     r3, =0xFFE00000         @ EBI
        str     r5, [r3, #0x00]
        str     r6, [r3, #0x04]
        str     r7, [r3, #0x24]
        ldr     r12, =remapped
        mov     r2, #1
        str     r2, [r3, #0x20]         @ remap; the jump is in the pipeline already
        mov     pc, r12
remapped:
        ldr     r3, =0xFFFD0000         @ USART 0: early messages of Linux need a transmitter
        str     r8, [r3, #0x04]
        str     r9, [r3, #0x20]
        mov     r2, #0x50
        str     r2, [r3, #0x00]
        mov     r0, #0
        mvn     r1, #0                  @ no number of a machine: the device tree names it
        mov     r2, r10
        .global enter_kernel
enter_kernel:
        mov     pc, r11

        .balign 4
        .global settings
settings:
        .space  7 * 4
        .ltorg
