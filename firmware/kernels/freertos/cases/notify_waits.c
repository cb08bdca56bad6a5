/* Waiting for direct notifications with a value, and clearing them. */
#include "freertos_case.h"

static uint32_t value;

static bool notify_self(const struct series *series) {
    caller = xTaskGetCurrentTaskHandle();
    return xTaskNotifyGive(caller) == pdPASS;
}

static void forget(const struct series *series) {
    ulTaskNotifyTake(pdTRUE, 0);
}

/* Wait: for what is there, and for what is not. */

static bool notify_again(const struct series *series, uintptr_t received) {
    return received == pdTRUE && notify_self(series);
}

TIMED_CASE(notify_wait, pending, xTaskGenericNotifyWait, xTaskNotifyWait(0, 0, &value, 0), LIBRARY,
           .condition = "one is there", .set_up = notify_self, .after = notify_again,
           .tear_down = forget)

RETURNS_FROM(end_wait, "notify_wait.blocks", xTaskAbortDelay(caller))

static bool start_below(const struct series *series) {
    return start_partner_below(end_wait);
}

TIMED_CASE(notify_wait, blocks, xTaskGenericNotifyWait,
           xTaskNotifyWait(0, 0, &value, portMAX_DELAY), LIBRARY,
           .condition = "none is there: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = partner_bytes, .set_up = start_below, .after = is_zero,
           .tear_down = delete_partner)

/* Clear: the state, and bits of the value. */

TIMED_CASE(notify_clear_state, pending, xTaskGenericNotifyStateClear, xTaskNotifyStateClear(caller),
           LIBRARY, .condition = "the caller, one is there", .set_up = notify_self,
           .after = notify_again, .tear_down = forget)

static bool has_bit(const struct series *series, uintptr_t before) {
    return (before & 1) == 1 && notify_self(series);
}

TIMED_CASE(notify_clear_value, pending, ulTaskGenericNotifyValueClear,
           ulTaskNotifyValueClear(caller, 1), LIBRARY, .condition = "the caller, one is there",
           .set_up = notify_self, .after = has_bit, .tear_down = forget)
