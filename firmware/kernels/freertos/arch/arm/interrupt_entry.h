/* Entries of interrupts on ARM, written as the port's own for the tick (portISR.c): context saved,
 * the work, perhaps a switch, context of whoever is to run restored. Files that define one are
 * compiled to ARM state. */
#ifndef INTERRUPT_ENTRY_H
#define INTERRUPT_ENTRY_H

/* Defines `entry`, which calls `work`, a function without arguments. */
#define INTERRUPT_ENTRY(entry, work)          \
    __attribute__((naked)) void entry(void) { \
        portSAVE_CONTEXT();                   \
        __asm volatile("bl " #work);          \
        portRESTORE_CONTEXT();                \
    }

/* The same; when `work` is over it calls `then`. */
#define INTERRUPT_ENTRY_THEN(entry, work, then)      \
    __attribute__((naked)) void entry(void) {        \
        portSAVE_CONTEXT();                          \
        __asm volatile("bl " #work "\n\tbl " #then); \
        portRESTORE_CONTEXT();                       \
    }

/* An ISR that makes no call of the kernel, so it needs no context of its own. */
#define PLAIN_INTERRUPT __attribute__((interrupt("IRQ")))

/* Ends an ISR in another task. */
#define SWITCH_FROM_INTERRUPT() portYIELD_FROM_ISR()

/* The same in `then` of INTERRUPT_ENTRY_THEN, behind which the context is restored. */
#define SWITCH_BEHIND_WORK() vTaskSwitchContext()

#endif
