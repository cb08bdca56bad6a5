/* Definitions for a board.c: the guard of its interrupt stack. Included once, where they are to
 * lie. */
#ifndef STACK_GUARD_H
#define STACK_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* Without interrupts nothing uses their stack, which lies below the other one: all of it is guard.
 */
#define STACK_GUARD 0xC0DE5AFEu
extern volatile uint32_t bss_end[], svc_stack_end[];

void board_guard_stack(void) {
    for (volatile uint32_t *word = bss_end; word < svc_stack_end; word++)
        *word = STACK_GUARD;
}

bool board_stack_sound(void) {
    for (volatile uint32_t *word = bss_end; word < svc_stack_end; word++)
        if (*word != STACK_GUARD)
            return false;
    return true;
}

#endif
