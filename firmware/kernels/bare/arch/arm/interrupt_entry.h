/* Interrupts without a kernel on ARM. */
#ifndef INTERRUPT_ENTRY_H
#define INTERRUPT_ENTRY_H

#define PLAIN_INTERRUPT __attribute__((interrupt("IRQ")))

#endif
