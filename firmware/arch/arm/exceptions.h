/* Definitions for a board.c: the mask of interrupts, and exceptions without a handler. Included
 * once, where they are to lie. */
#ifndef EXCEPTIONS_H
#define EXCEPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "board.h"
#include "wire.h"

enum { MODE_SVC = 0x13, IRQ_MASKED = 0x80, FIQ_MASKED = 0x40 };

__attribute__((target("arm"))) void board_unmask_interrupts(bool on) {
    uint32_t mode = on ? MODE_SVC | FIQ_MASKED : MODE_SVC | FIQ_MASKED | IRQ_MASKED;
    __asm volatile("msr cpsr_c, %0" : : "r"(mode) : "memory");
}

/* Called by start.S in supervisor mode, with interrupts off and a fresh stack. */
void exception_taken(enum wire_fault cause, uint32_t address);

void exception_taken(enum wire_fault cause, uint32_t address) {
    static const char *const names[] = {[FAULT_UNDEFINED] = "undefined instruction",
                                        [FAULT_PREFETCH] = "prefetch abort",
                                        [FAULT_DATA] = "data abort",
                                        [FAULT_INTERRUPT] = "interrupt without a handler"};
    wire_fault(cause, address, names[cause]);
}

#endif
