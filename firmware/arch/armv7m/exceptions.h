/* Definitions for a board.c: the mask of interrupts, and exceptions without a handler. Included
 * once, where they are to lie. */
#ifndef EXCEPTIONS_H
#define EXCEPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "wire.h"

void board_unmask_interrupts(bool on) {
    if (on)
        __asm volatile("cpsie i" : : : "memory");
    else
        __asm volatile("cpsid i" : : : "memory");
}

/* Called by start.S with interrupts off and a fresh stack. */
void exception_taken(enum wire_fault cause, uint32_t address);

void exception_taken(enum wire_fault cause, uint32_t address) {
    static const char *const names[] = {[FAULT_UNDEFINED] = "undefined instruction",
                                        [FAULT_PREFETCH] = "fault of a fetch",
                                        [FAULT_DATA] = "fault of an access",
                                        [FAULT_INTERRUPT] = "interrupt without a handler"};
    wire_fault(cause, address, names[cause]);
}

#endif
