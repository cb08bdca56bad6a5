/* Entries of the line's interrupts (line_entries.c and ring_entries.S). */
#ifndef LINE_ENTRIES_H
#define LINE_ENTRIES_H

#include "FreeRTOS.h"

/* The interrupt controller names these as what to enter. */
void line_entered(void);
void wake_entered(void);

/* The work of each. Returns whether a task of higher priority was woken. */
BaseType_t line_interrupted(void);
BaseType_t wake_requested(void);

#endif
