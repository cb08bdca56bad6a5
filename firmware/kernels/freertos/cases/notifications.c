/* Direct notifications to tasks. */
#include "freertos_case.h"

/* Give, to a task that does not wait. */

TIMED_CASE(notify_give, not_waiting, xTaskGenericNotify, xTaskNotifyGive(partner), LIBRARY,
           .condition = "the task does not wait for it", .bytes = partner_bytes,
           .set_up = start_ready, .after = is_true, .tear_down = delete_partner)

TIMED_CASE(notify_set_bits, not_waiting, xTaskGenericNotify, xTaskNotify(partner, 1, eSetBits),
           LIBRARY, .condition = "the task does not wait for it", .bytes = partner_bytes,
           .set_up = start_ready, .after = is_true, .tear_down = delete_partner)

/* Give, to a waiting task of higher priority. */

RETURNS_FROM(take_for_ever, "notify_give.wakes_higher", ulTaskNotifyTake(pdTRUE, portMAX_DELAY))

static bool start_waiting(const struct series *series) {
    return start_partner(take_for_ever, PRIORITY_WOKEN);
}

TIMED_CASE(notify_give, wakes_higher, xTaskGenericNotify, xTaskNotifyGive(partner), LIBRARY,
           .condition = "a task of higher priority waits for it", .flags = CASE_MOVES,
           .bytes = partner_bytes, .set_up = start_waiting, .after = is_true,
           .tear_down = delete_partner)

/* Give from an ISR. */

TIMED_ACTION(notify_give_from_isr, not_waiting, vTaskGenericNotifyGiveFromISR,
             vTaskNotifyGiveFromISR(partner, &woken), FROM_ISR,
             .condition = "from an ISR; the task does not wait for it", .bytes = partner_bytes,
             .set_up = start_ready, .tear_down = delete_partner)

RETURNS_FROM(take_from_isr, "notify_give_from_isr.wakes_higher",
             ulTaskNotifyTake(pdTRUE, portMAX_DELAY))

static bool start_waiting_for_isr(const struct series *series) {
    return start_partner(take_from_isr, PRIORITY_WOKEN);
}

TIMED_ACTION(notify_give_from_isr, wakes_higher, vTaskGenericNotifyGiveFromISR,
             vTaskNotifyGiveFromISR(partner, &woken), LIBRARY,
             .condition = "from an ISR that ends with a switch to the waiting task",
             .flags = CASE_INTERRUPT | CASE_MOVES, .bytes = partner_bytes,
             .set_up = start_waiting_for_isr, .tear_down = delete_partner)

/* Take: what is there, and what is not. */

static bool notify_self(const struct series *series) {
    return xTaskNotifyGive(xTaskGetCurrentTaskHandle()) == pdPASS;
}

static bool notify_again(const struct series *series, uintptr_t count) {
    return count == 1 && notify_self(series);
}

static void forget(const struct series *series) {
    ulTaskNotifyTake(pdTRUE, 0);
}

TIMED_CASE(notify_take, pending, ulTaskGenericNotifyTake, ulTaskNotifyTake(pdTRUE, 0), LIBRARY,
           .condition = "one is there", .set_up = notify_self, .after = notify_again,
           .tear_down = forget)

TIMED_CASE(notify_take, none_no_wait, ulTaskGenericNotifyTake, ulTaskNotifyTake(pdTRUE, 0), LIBRARY,
           .condition = "none is there, no wait", .after = is_zero)

/* Take what is not there, and wait: the call ends in the task below. */

RETURNS_FROM(end_wait, "notify_take.blocks", xTaskAbortDelay(caller))

static bool start_below(const struct series *series) {
    return start_partner_below(end_wait);
}

TIMED_CASE(notify_take, blocks, ulTaskGenericNotifyTake, ulTaskNotifyTake(pdTRUE, portMAX_DELAY),
           LIBRARY, .condition = "none is there: waits; a task of lower priority goes on",
           .flags = CASE_MOVES, .bytes = partner_bytes, .set_up = start_below, .after = is_zero,
           .tear_down = delete_partner)
