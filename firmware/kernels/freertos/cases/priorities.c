/* Priorities of tasks: asked for and set. */
#include "freertos_case.h"

static bool is_load(const struct series *series, uintptr_t priority) {
    return priority == PRIORITY_LOAD;
}

TIMED_CASE(priority_get, other, uxTaskPriorityGet, uxTaskPriorityGet(partner), LIBRARY,
           .condition = "another task", .bytes = partner_bytes, .set_up = start_ready,
           .after = is_load, .tear_down = delete_partner)

TIMED_CASE(priority_get_from_isr, other, uxTaskPriorityGetFromISR,
           uxTaskPriorityGetFromISR(partner), FROM_ISR, .condition = "from an ISR; another task",
           .bytes = partner_bytes, .set_up = start_ready, .after = is_load,
           .tear_down = delete_partner)

TIMED_CASE(base_priority_get, other, uxTaskBasePriorityGet, uxTaskBasePriorityGet(partner), LIBRARY,
           .condition = "another task", .bytes = partner_bytes, .set_up = start_ready,
           .after = is_load, .tear_down = delete_partner)

TIMED_CASE(base_priority_get_from_isr, other, uxTaskBasePriorityGetFromISR,
           uxTaskBasePriorityGetFromISR(partner), FROM_ISR,
           .condition = "from an ISR; another task", .bytes = partner_bytes, .set_up = start_ready,
           .after = is_load, .tear_down = delete_partner)

/* Set, of a task that is ready. */

TIMED_ACTION(priority_set, unchanged, vTaskPrioritySet, vTaskPrioritySet(partner, PRIORITY_LOAD),
             LIBRARY, .condition = "another task, which has it already", .bytes = partner_bytes,
             .set_up = start_ready, .tear_down = delete_partner)

static bool raise_again(const struct series *series, uintptr_t nothing) {
    bool lowered = uxTaskPriorityGet(partner) == tskIDLE_PRIORITY;
    vTaskPrioritySet(partner, PRIORITY_LOAD);
    return lowered;
}

TIMED_ACTION(priority_set, lowers_ready, vTaskPrioritySet,
             vTaskPrioritySet(partner, tskIDLE_PRIORITY), LIBRARY,
             .condition = "another task, ready, lowered", .bytes = partner_bytes,
             .set_up = start_ready, .after = raise_again, .tear_down = delete_partner)

/* Raised above the caller: it runs before the call returns, and lowers itself again. */

RETURNS_FROM(lower_self, "priority_set.raises_above_caller", vTaskPrioritySet(NULL, PRIORITY_LOAD))

static bool start_lowering(const struct series *series) {
    return start_partner(lower_self, PRIORITY_WOKEN);
}

TIMED_ACTION(priority_set, raises_above_caller, vTaskPrioritySet,
             vTaskPrioritySet(partner, PRIORITY_WOKEN), LIBRARY,
             .condition = "another task, ready, raised above the caller", .flags = CASE_MOVES,
             .bytes = partner_bytes, .set_up = start_lowering, .tear_down = delete_partner)

static bool start_lowest(const struct series *series) {
    return start_partner(never_run, tskIDLE_PRIORITY);
}

static bool lower_again(const struct series *series, uintptr_t nothing) {
    bool raised = uxTaskPriorityGet(partner) == PRIORITY_LOAD;
    vTaskPrioritySet(partner, tskIDLE_PRIORITY);
    return raised;
}

TIMED_ACTION(priority_set, raises_ready, vTaskPrioritySet, vTaskPrioritySet(partner, PRIORITY_LOAD),
             LIBRARY, .condition = "another task, ready, raised but below the caller",
             .bytes = partner_bytes, .set_up = start_lowest, .after = lower_again,
             .tear_down = delete_partner)

/* Set, of a task that waits. */

static bool raise_waiting(const struct series *series, uintptr_t nothing) {
    vTaskPrioritySet(partner, PRIORITY_WOKEN);
    return true;
}

TIMED_ACTION(priority_set, waiting, vTaskPrioritySet, vTaskPrioritySet(partner, PRIORITY_LOAD),
             LIBRARY, .condition = "another task, waiting for a message, lowered",
             .bytes = gate_bytes, .set_up = start_at_gate, .after = raise_waiting,
             .tear_down = delete_at_gate)

/* The caller lowers itself: the call ends in the task below, whose call raised it last. */

RETURNS_FROM(raise_caller, "priority_set.lowers_self", vTaskPrioritySet(caller, PRIORITY_HARNESS))

static bool start_raising(const struct series *series) {
    if (!start_partner(raise_caller, PRIORITY_LOAD))
        return false;
    vTaskPrioritySet(NULL, tskIDLE_PRIORITY);
    return true;
}

TIMED_ACTION(priority_set, lowers_self, vTaskPrioritySet, vTaskPrioritySet(NULL, tskIDLE_PRIORITY),
             LIBRARY, .condition = "the caller, lowered; a task now above it goes on",
             .flags = CASE_MOVES, .bytes = partner_bytes, .set_up = start_raising,
             .tear_down = delete_partner)
