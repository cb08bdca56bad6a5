/* Interrupts without a kernel on a Cortex-M3: an ISR is a function. */
#ifndef INTERRUPT_ENTRY_H
#define INTERRUPT_ENTRY_H

#define PLAIN_INTERRUPT

#endif
