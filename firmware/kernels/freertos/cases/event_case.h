/* Shared by the cases of event groups (event_case.c). */
#ifndef EVENT_CASE_H
#define EVENT_CASE_H

#include "freertos_case.h"

#include "event_groups.h"

enum { BIT = 1, OTHER_BIT = 2, BOTH = BIT | OTHER_BIT };

extern EventGroupHandle_t events;

bool set_bit(void);
bool clear_bit(void);

/* Hooks: of a case that has a group alone, with no bit set or the one, */
uint32_t group_bytes(const struct series *series);
bool create_group(const struct series *series);
bool create_set(const struct series *series);
bool has_bit(const struct series *series, uintptr_t bits);
void delete_group(const struct series *series);

/* with a partner, and with a crowd of x tasks. */
uint32_t group_and_partner_bytes(const struct series *series);
void delete_group_and_partner(const struct series *series);
uint32_t group_and_crowd_bytes(const struct series *series);
void delete_group_and_crowd(const struct series *series);

#endif
