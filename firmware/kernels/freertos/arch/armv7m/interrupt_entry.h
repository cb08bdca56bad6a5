/* Entries of interrupts on a Cortex-M3: the core stacks what a call may change, so each is a
 * function. A switch is an exception of its own behind it. */
#ifndef INTERRUPT_ENTRY_H
#define INTERRUPT_ENTRY_H

/* Defines `entry`, which calls `work`, a function without arguments. */
#define INTERRUPT_ENTRY(entry, work) \
    void entry(void) {               \
        work();                      \
    }

/* The same; when `work` is over it calls `then`. */
#define INTERRUPT_ENTRY_THEN(entry, work, then) \
    void entry(void) {                          \
        work();                                 \
        then();                                 \
    }

/* An ISR that makes no call of the kernel. */
#define PLAIN_INTERRUPT

/* Ends an ISR in another task. */
#define SWITCH_FROM_INTERRUPT() portYIELD_FROM_ISR(pdTRUE)
#define SWITCH_BEHIND_WORK() SWITCH_FROM_INTERRUPT()

#endif
