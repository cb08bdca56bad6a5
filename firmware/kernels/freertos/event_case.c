/* An event group, alone, with a partner or with a crowd. */
#include "cases/event_case.h"

EventGroupHandle_t events;

bool set_bit(void) {
    return (xEventGroupSetBits(events, BIT) & BIT) == BIT;
}

bool clear_bit(void) {
    return (xEventGroupClearBits(events, BIT) & BIT) == BIT;
}

uint32_t group_bytes(const struct series *series) {
    return BLOCK_BYTES(sizeof(StaticEventGroup_t));
}

bool create_group(const struct series *series) {
    events = xEventGroupCreate();
    return events != NULL;
}

bool create_set(const struct series *series) {
    return create_group(series) && set_bit();
}

bool has_bit(const struct series *series, uintptr_t bits) {
    return (bits & BIT) == BIT;
}

void delete_group(const struct series *series) {
    vEventGroupDelete(events);
}

uint32_t group_and_partner_bytes(const struct series *series) {
    return group_bytes(series) + PARTNER_BYTES;
}

void delete_group_and_partner(const struct series *series) {
    stop_partner();
    delete_group(series);
}

uint32_t group_and_crowd_bytes(const struct series *series) {
    return group_bytes(series) + CROWD_BYTES(series->x, HELPER_STACK_WORDS);
}

void delete_group_and_crowd(const struct series *series) {
    stop_crowd();
    delete_group(series);
}
