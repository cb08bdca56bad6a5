/* Entries of the three interrupts, written as the port's own for the tick (portISR.c): context
 * saved, the user's ISR, perhaps a switch, context of whoever is to run restored. In ARM state. */
#include "port.h"

BaseType_t switch_wanted;

void software_interrupt_taken(void);
void line_interrupt_taken(void);
void load_interrupt(void);
void switch_if_wanted(void);

void switch_if_wanted(void) {
    if (switch_wanted)
        vTaskSwitchContext();
    switch_wanted = pdFALSE;
}

__attribute__((naked)) void software_interrupt_entered(void) {
    portSAVE_CONTEXT();
    __asm volatile("bl software_interrupt_taken\n\tbl switch_if_wanted");
    portRESTORE_CONTEXT();
}

__attribute__((naked)) void line_interrupt_entered(void) {
    portSAVE_CONTEXT();
    __asm volatile("bl line_interrupt_taken\n\tbl switch_if_wanted");
    portRESTORE_CONTEXT();
}

__attribute__((naked)) void alarm_entered(void) {
    portSAVE_CONTEXT();
    __asm volatile("bl load_interrupt\n\tbl switch_if_wanted");
    portRESTORE_CONTEXT();
}
