/* Event groups: what waiting may ask for, meeting of tasks, and tasks that wait. */
#include "event_case.h"

/* Wait: for any of several bits, and with what was waited for cleared. */

TIMED_CASE(event_wait, any_set, xEventGroupWaitBits,
           xEventGroupWaitBits(events, BOTH, pdFALSE, pdFALSE, 0), LIBRARY,
           .condition = "any of two bits, one is set", .bytes = group_bytes, .set_up = create_set,
           .after = has_bit, .tear_down = delete_group)

static bool set_again(const struct series *series, uintptr_t bits) {
    return has_bit(series, bits) && set_bit();
}

TIMED_CASE(event_wait, clears, xEventGroupWaitBits,
           xEventGroupWaitBits(events, BIT, pdTRUE, pdTRUE, 0), LIBRARY,
           .condition = "the bit is set, and is cleared", .bytes = group_bytes,
           .set_up = create_set, .after = set_again, .tear_down = delete_group)

static bool is_set(const struct series *series, uintptr_t bits) {
    return bits == BIT;
}

TIMED_CASE(event_get_from_isr, set, xEventGroupGetBitsFromISR, xEventGroupGetBitsFromISR(events),
           FROM_ISR, .condition = "from an ISR; one bit is set", .bytes = group_bytes,
           .set_up = create_set, .after = is_set, .tear_down = delete_group)

/* Sync: set one's own bit, and wait for those of all. */

static bool set_others_again(const struct series *series, uintptr_t bits) {
    return bits == BOTH && set_bit();
}

TIMED_CASE(event_sync, last, xEventGroupSync, xEventGroupSync(events, OTHER_BIT, BOTH, 0), LIBRARY,
           .condition = "the caller is the last: all bits are set, and are cleared",
           .bytes = group_bytes, .set_up = create_set, .after = set_others_again,
           .tear_down = delete_group)

static bool clear_own(const struct series *series, uintptr_t bits) {
    return bits == OTHER_BIT && xEventGroupClearBits(events, OTHER_BIT) == OTHER_BIT;
}

TIMED_CASE(event_sync, not_last_no_wait, xEventGroupSync,
           xEventGroupSync(events, OTHER_BIT, BOTH, 0), LIBRARY,
           .condition = "a bit is missing, no wait", .bytes = group_bytes, .set_up = create_group,
           .after = clear_own, .tear_down = delete_group)

RETURNS_FROM(set_missing, "event_sync.blocks", xEventGroupSync(events, BIT, BOTH, 0))

static bool create_and_meet(const struct series *series) {
    return create_group(series) && start_partner(set_missing, PRIORITY_LOAD) &&
           xEventGroupSync(events, OTHER_BIT, BOTH, portMAX_DELAY) == BOTH;
}

static bool have_met(const struct series *series, uintptr_t bits) {
    return bits == BOTH;
}

TIMED_CASE(event_sync, blocks, xEventGroupSync,
           xEventGroupSync(events, OTHER_BIT, BOTH, portMAX_DELAY), LIBRARY,
           .condition = "a bit is missing: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = group_and_partner_bytes, .set_up = create_and_meet,
           .after = have_met, .tear_down = delete_group_and_partner)

/* Set, with a task of higher priority waiting for the bit: it runs before the call returns. */

RETURNS_FROM(wait_above, "event_set.wakes_higher",
             xEventGroupWaitBits(events, BIT, pdTRUE, pdTRUE, portMAX_DELAY))

static bool create_waiter(const struct series *series) {
    return create_group(series) && start_partner(wait_above, PRIORITY_WOKEN);
}

static bool was_cleared(const struct series *series, uintptr_t bits) {
    return xEventGroupGetBits(events) == 0;
}

TIMED_CASE(event_set, wakes_higher, xEventGroupSetBits, xEventGroupSetBits(events, BIT), LIBRARY,
           .condition = "a task of higher priority waits for the bit", .flags = CASE_MOVES,
           .bytes = group_and_partner_bytes, .set_up = create_waiter, .after = was_cleared,
           .tear_down = delete_group_and_partner)

/* Set, with N tasks waiting for another bit. */

static void wait_for_other(void *unused) {
    for (;;)
        xEventGroupWaitBits(events, OTHER_BIT, pdFALSE, pdTRUE, portMAX_DELAY);
}

static bool create_waiters(const struct series *series) {
    return create_group(series) &&
           start_crowd(wait_for_other, series->x, PRIORITY_WOKEN, HELPER_STACK_WORDS);
}

static bool clear_own_bit(const struct series *series, uintptr_t bits) {
    return bits == BIT && clear_bit();
}

TIMED_CASE(event_set, others_wait, xEventGroupSetBits, xEventGroupSetBits(events, BIT), LIBRARY,
           .condition = "tasks wait for another bit", .parameter = "waiting tasks", .unit = "task",
           X_FROM_TO(1, MOST_IN_CROWD), .bytes = group_and_crowd_bytes, .set_up = create_waiters,
           .after = clear_own_bit, .tear_down = delete_group_and_crowd)

/* Sync: the caller is the last, and N tasks of lower priority wait for its bit. */

static void wait_for_caller(void *unused) {
    for (;;)
        xEventGroupWaitBits(events, OTHER_BIT, pdFALSE, pdTRUE, portMAX_DELAY);
}

static bool create_and_wait_below(const struct series *series) {
    return create_set(series) && start_crowd_below(wait_for_caller, series->x);
}

static bool wait_for_caller_again(const struct series *series, uintptr_t bits) {
    run_crowd();
    return set_others_again(series, bits);
}

TIMED_CASE(event_sync, wakes_waiters, xEventGroupSync, xEventGroupSync(events, OTHER_BIT, BOTH, 0),
           LIBRARY, .condition = "the caller is the last; tasks of lower priority wait for its bit",
           .parameter = "waiting tasks", .unit = "task", X_FROM_TO(1, MOST_IN_CROWD),
           .bytes = group_and_crowd_bytes, .set_up = create_and_wait_below,
           .after = wait_for_caller_again, .tear_down = delete_group_and_crowd)

/* Delete. */

DELETED(group_bytes(series), xEventGroupCreate(), vEventGroupDelete(object))

TIMED_ACTION(event_group_delete, nobody_waits, vEventGroupDelete, vEventGroupDelete(object),
             LIBRARY, .condition = "nobody waits; heap_4, neighbours in use", .bytes = object_bytes,
             .set_up = create_object, .after = create_object_again, .tear_down = delete_object)

/* Delete, with N tasks of lower priority waiting: they become ready. */

static uint32_t deleted_and_crowd_bytes(const struct series *series) {
    return object_bytes(series) + CROWD_BYTES(series->x, HELPER_STACK_WORDS);
}

static void wait_at_object(void *unused) {
    for (;;)
        xEventGroupWaitBits(object, BIT, pdFALSE, pdTRUE, portMAX_DELAY);
}

static bool create_object_and_wait(const struct series *series) {
    return create_object(series) && start_crowd_below(wait_at_object, series->x);
}

static bool wait_at_object_again(const struct series *series, uintptr_t nothing) {
    bool created_again = create_object_again(series, nothing);
    run_crowd();
    return created_again;
}

static void delete_object_and_crowd(const struct series *series) {
    stop_crowd();
    delete_object(series);
}

TIMED_ACTION(event_group_delete, wakes_waiters, vEventGroupDelete, vEventGroupDelete(object),
             LIBRARY, .condition = "tasks of lower priority wait; heap_4, neighbours in use",
             .parameter = "waiting tasks", .unit = "task", X_FROM_TO(1, MOST_IN_CROWD),
             .bytes = deleted_and_crowd_bytes, .set_up = create_object_and_wait,
             .after = wait_at_object_again, .tear_down = delete_object_and_crowd)
