/* Variants of an image with USART 1 as its line. */
#ifndef VARIANTS_H
#define VARIANTS_H

/* ENTRY: how an interrupt for a character begins. */
#define ENTRY_IRQ 0
#define ENTRY_FIQ 1
#define ENTRY_CONTEXT 2 /* declared, not real: IRQ mode has all registers of its own */

/* ACCESS: how the registers of the USART are reached. */
#define ACCESS_MEMORY 0
#define ACCESS_COPROCESSOR 1 /* declared, not real: by MRC and MCR */

#endif
