/* Direct notifications by what they do to the value, and to tasks that wait. */
#include "freertos_case.h"

/* To a task that does not wait. */

TIMED_CASE(notify_overwrite, not_waiting, xTaskGenericNotify,
           xTaskNotify(partner, 1, eSetValueWithOverwrite), LIBRARY,
           .condition = "the task does not wait for it", .bytes = partner_bytes,
           .set_up = start_ready, .after = is_true, .tear_down = delete_partner)

TIMED_CASE(notify_no_action, not_waiting, xTaskGenericNotify, xTaskNotify(partner, 0, eNoAction),
           LIBRARY, .condition = "the task does not wait for it", .bytes = partner_bytes,
           .set_up = start_ready, .after = is_true, .tear_down = delete_partner)

static bool clear(const struct series *series, uintptr_t passed) {
    return passed == pdPASS && xTaskNotifyStateClear(partner) == pdTRUE;
}

TIMED_CASE(notify_no_overwrite, none_pending, xTaskGenericNotify,
           xTaskNotify(partner, 1, eSetValueWithoutOverwrite), LIBRARY,
           .condition = "none is pending, the task does not wait for it", .bytes = partner_bytes,
           .set_up = start_ready, .after = clear, .tear_down = delete_partner)

static bool start_and_notify(const struct series *series) {
    return start_ready(series) && xTaskNotifyGive(partner) == pdPASS;
}

TIMED_CASE(notify_no_overwrite, pending, xTaskGenericNotify,
           xTaskNotify(partner, 1, eSetValueWithoutOverwrite), LIBRARY,
           .condition = "one is pending", .bytes = partner_bytes, .set_up = start_and_notify,
           .after = is_zero, .tear_down = delete_partner)

/* To a task of lower priority that waits. */

static void take_for_ever(void *unused) {
    for (;;)
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

static bool start_waiting_below(const struct series *series) {
    return start_waiter_below(take_for_ever);
}

TIMED_CASE(notify_give, wakes_lower, xTaskGenericNotify, xTaskNotifyGive(partner), LIBRARY,
           .condition = "a task of lower priority waits for it", .bytes = partner_bytes,
           .set_up = start_waiting_below, .after = block_again, .tear_down = delete_partner)

/* From an ISR. */

TIMED_CASE(notify_from_isr, not_waiting, xTaskGenericNotifyFromISR,
           xTaskNotifyFromISR(partner, 1, eSetBits, &woken), FROM_ISR,
           .condition = "from an ISR; bits are set, the task does not wait", .bytes = partner_bytes,
           .set_up = start_ready, .after = is_true, .tear_down = delete_partner)

TIMED_CASE(notify_from_isr, wakes_lower, xTaskGenericNotifyFromISR,
           xTaskNotifyFromISR(partner, 1, eSetBits, &woken), FROM_ISR,
           .condition = "from an ISR; bits are set, a task of lower priority waits",
           .bytes = partner_bytes, .set_up = start_waiting_below, .after = block_again,
           .tear_down = delete_partner)

RETURNS_FROM(wait_for_isr, "notify_from_isr.wakes_higher",
             xTaskNotifyWait(0, 0, NULL, portMAX_DELAY))

static bool start_waiting_for_isr(const struct series *series) {
    return start_partner(wait_for_isr, PRIORITY_WOKEN);
}

TIMED_CASE(notify_from_isr, wakes_higher, xTaskGenericNotifyFromISR,
           xTaskNotifyFromISR(partner, 1, eSetBits, &woken), LIBRARY,
           .condition = "from an ISR that ends with a switch to the waiting task",
           .flags = CASE_INTERRUPT | CASE_MOVES, .bytes = partner_bytes,
           .set_up = start_waiting_for_isr, .after = is_true, .tear_down = delete_partner)
