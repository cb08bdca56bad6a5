/* Entries that may switch tasks. Compiled to ARM state. */
#include "line_entries.h"

#include "task.h"
#include "transfer.h"

#define TEXT(name) #name

#if ENTRY == ENTRY_CONTEXT
/* Declared, not real: r0 to r12 are those of IRQ mode. So the work begins at once, and the context
 * of the task is saved only for a switch. */
#define ENTRY_OF(entry, work)                                 \
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
#define ENTRY_OF(entry, work)                                       \
    __attribute__((naked)) void entry(void) {                       \
        portSAVE_CONTEXT();                                         \
        __asm volatile("bl " TEXT(work) "\n\t"                      \
                                        "cmp r0, #0\n\t"            \
                                        "blne vTaskSwitchContext"); \
        portRESTORE_CONTEXT();                                      \
    }
#endif

#ifdef RING
ENTRY_OF(wake_entered, wake_requested)
#else
ENTRY_OF(line_entered, line_interrupted)
#endif
