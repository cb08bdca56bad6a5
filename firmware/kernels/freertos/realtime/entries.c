/* Entries of the three interrupts: the user's ISR, perhaps a switch. */
#include "port.h"

#include "interrupt_entry.h"

BaseType_t switch_wanted;

void software_interrupt_taken(void);
void line_interrupt_taken(void);
void load_interrupt(void);
void switch_if_wanted(void);

void switch_if_wanted(void) {
    if (switch_wanted)
        SWITCH_BEHIND_WORK();
    switch_wanted = pdFALSE;
}

INTERRUPT_ENTRY_THEN(software_interrupt_entered, software_interrupt_taken, switch_if_wanted)

INTERRUPT_ENTRY_THEN(line_interrupt_entered, line_interrupt_taken, switch_if_wanted)

INTERRUPT_ENTRY_THEN(alarm_entered, load_interrupt, switch_if_wanted)
