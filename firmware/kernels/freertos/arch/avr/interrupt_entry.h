/* Entries of interrupts on AVR. The board's own handlers save the registers that calls may change,
 * and call them. A switch inside saves the rest, as the port has it (portYIELD_FROM_ISR). */
#ifndef INTERRUPT_ENTRY_H
#define INTERRUPT_ENTRY_H

/* Defines `entry`, which calls `work`, a function without arguments. */
#define INTERRUPT_ENTRY(entry, work) \
    void entry(void) {               \
        work();                      \
    }

/* Ends an ISR in another task. */
#define SWITCH_FROM_INTERRUPT() portYIELD_FROM_ISR()

#endif
