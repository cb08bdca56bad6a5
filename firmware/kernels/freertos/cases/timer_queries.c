/* Queries and settings of software timers, without a command to the daemon. */
#include "freertos_case.h"

#include "timers.h"

enum { PERIOD_TICKS = 1000000 };

static TimerHandle_t timer;

static void never_expires(TimerHandle_t unused) {}

static uint32_t timer_bytes(const struct series *series) {
    return BLOCK_BYTES(sizeof(StaticTimer_t));
}

static bool create_dormant(const struct series *series) {
    timer = xTimerCreate("timer", PERIOD_TICKS, pdFALSE, &timer, never_expires);
    return timer != NULL;
}

static bool create_active(const struct series *series) {
    if (!create_dormant(series) || xTimerStart(timer, 0) != pdPASS)
        return false;
    run_timer_daemon();
    return true;
}

static void delete_timer(const struct series *series) {
    xTimerDelete(timer, 0);
    run_timer_daemon();
}

static bool is_period(const struct series *series, uintptr_t ticks) {
    return ticks == (uintptr_t)PERIOD_TICKS;
}

static bool is_that_much_later(const struct series *series, uintptr_t ticks) {
    return sizeof ticks < sizeof(TickType_t) || ticks >= PERIOD_TICKS;
}

static bool is_id(const struct series *series, uintptr_t id) {
    return id == (uintptr_t)&timer;
}

static bool is_name(const struct series *series, uintptr_t name) {
    return *(const char *)name == 't';
}

TIMED_CASE(timer_is_active, active, xTimerIsTimerActive, xTimerIsTimerActive(timer), LIBRARY,
           .condition = "active", .bytes = timer_bytes, .set_up = create_active, .after = is_true,
           .tear_down = delete_timer)

TIMED_CASE(timer_get_id, dormant, pvTimerGetTimerID, pvTimerGetTimerID(timer), LIBRARY,
           .condition = "dormant", .bytes = timer_bytes, .set_up = create_dormant, .after = is_id,
           .tear_down = delete_timer)

TIMED_ACTION(timer_set_id, dormant, vTimerSetTimerID, vTimerSetTimerID(timer, &timer), LIBRARY,
             .condition = "dormant", .bytes = timer_bytes, .set_up = create_dormant,
             .tear_down = delete_timer)

TIMED_CASE(timer_get_name, dormant, pcTimerGetName, pcTimerGetName(timer), LIBRARY,
           .condition = "dormant", .bytes = timer_bytes, .set_up = create_dormant, .after = is_name,
           .tear_down = delete_timer)

TIMED_CASE(timer_get_period, dormant, xTimerGetPeriod, xTimerGetPeriod(timer), LIBRARY,
           .condition = "dormant", .bytes = timer_bytes, .set_up = create_dormant,
           .after = is_period, .tear_down = delete_timer)

TIMED_CASE(timer_get_expiry, active, xTimerGetExpiryTime, xTimerGetExpiryTime(timer), LIBRARY,
           .condition = "active", .bytes = timer_bytes, .set_up = create_active,
           .after = is_that_much_later, .tear_down = delete_timer)

TIMED_CASE(timer_get_reload, one_shot, xTimerGetReloadMode, xTimerGetReloadMode(timer), LIBRARY,
           .condition = "one-shot", .bytes = timer_bytes, .set_up = create_dormant,
           .after = is_zero, .tear_down = delete_timer)

TIMED_CASE(timer_get_reload, as_number, uxTimerGetReloadMode, uxTimerGetReloadMode(timer), LIBRARY,
           .condition = "one-shot, the older function", .bytes = timer_bytes,
           .set_up = create_dormant, .after = is_zero, .tear_down = delete_timer)

static bool make_one_shot(const struct series *series, uintptr_t nothing) {
    vTimerSetReloadMode(timer, pdFALSE);
    return true;
}

TIMED_ACTION(timer_set_reload, automatic, vTimerSetReloadMode, vTimerSetReloadMode(timer, pdTRUE),
             LIBRARY, .condition = "to automatic", .bytes = timer_bytes, .set_up = create_dormant,
             .after = make_one_shot, .tear_down = delete_timer)

TIMED_CASE(timer_daemon_handle, any, xTimerGetTimerDaemonTaskHandle,
           xTimerGetTimerDaemonTaskHandle(), LIBRARY, .condition = "the daemon's handle",
           .after = is_some)
