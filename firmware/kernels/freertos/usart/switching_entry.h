/* Entries of interrupts that may switch tasks, by ENTRY. Files that define one are compiled to ARM
 * state, and include FreeRTOS.h and task.h before. */
#ifndef SWITCHING_ENTRY_H
#define SWITCHING_ENTRY_H

#include "variants.h"

/* SWITCHING_ENTRY(entry, work) defines `entry`. `work` is a function without arguments that returns
 * whether it woke a task of higher priority. */
#define TEXT(name) #name

#if ENTRY == ENTRY_CONTEXT
/* Declared, not real: r0 to r12 are those of IRQ mode. So the work begins at once, and the context
 * of the task is saved only for a switch. */
#define SWITCHING_ENTRY(entry, work)                          \
    __attribute__((naked)) void entry(void) {                 \
        __asm volatile("mov r9, lr\n\t"                       \
                       "bl " TEXT(work) "\n\t"                \
                                        "mov lr, r9\n\t"      \
                                        "cmp r0, #0\n\t"      \
                                        "subeqs pc, lr, #4"); \
        portSAVE_CONTEXT();                                   \
        __asm volatile("bl vTaskSwitchContext");              \
        portRESTORE_CONTEXT();                                \
    }
#else
#define SWITCHING_ENTRY(entry, work)                                \
    __attribute__((naked)) void entry(void) {                       \
        portSAVE_CONTEXT();                                         \
        __asm volatile("bl " TEXT(work) "\n\t"                      \
                                        "cmp r0, #0\n\t"            \
                                        "blne vTaskSwitchContext"); \
        portRESTORE_CONTEXT();                                      \
    }
#endif

#endif
