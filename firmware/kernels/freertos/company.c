/* The tasks that a case has beside the harness's own. */
#include "cases/freertos_case.h"

#include "timers.h"

enum { LONG_TICKS = 1000000000 };

TaskHandle_t caller, partner, *crowd;
static uint32_t crowd_count;

bool start_partner(TaskFunction_t body, UBaseType_t priority) {
    caller = xTaskGetCurrentTaskHandle();
    partner = NULL;
    return xTaskCreate(body, "partner", HELPER_STACK_WORDS, NULL, priority, &partner) == pdPASS;
}

bool start_partner_below(TaskFunction_t body) {
    if (!start_partner(body, PRIORITY_LOAD))
        return false;
    vTaskDelay(LONG_TICKS); /* it runs up to its call, which ends this delay */
    return true;
}

bool start_waiter_below(TaskFunction_t body) {
    if (!start_partner(body, PRIORITY_WOKEN))
        return false;
    run_and_lower(partner);
    return true;
}

bool block_again(const struct series *series, uintptr_t passed) {
    run_and_lower(partner);
    return passed == pdPASS;
}

void stop_partner(void) {
    if (partner != NULL)
        vTaskDelete(partner);
    partner = NULL;
}

uint32_t partner_bytes(const struct series *series) {
    return PARTNER_BYTES;
}

bool start_ready(const struct series *series) {
    return start_partner(never_run, PRIORITY_LOAD);
}

void delete_partner(const struct series *series) {
    stop_partner();
}

bool start_crowd(TaskFunction_t body, uint32_t count, UBaseType_t priority, uint16_t stack_words) {
    crowd_count = 0;
    crowd = pvPortMalloc(count * sizeof *crowd);
    while (crowd != NULL && crowd_count < count &&
           xTaskCreate(body, "crowd", stack_words, NULL, priority, &crowd[crowd_count]) == pdPASS)
        crowd_count++;
    return crowd_count == count;
}

void stop_crowd(void) {
    for (uint32_t i = 0; i < crowd_count; i++)
        vTaskDelete(crowd[i]);
    vPortFree(crowd);
    crowd = NULL;
    crowd_count = 0;
}

void run_and_lower(TaskHandle_t task) {
    vTaskPrioritySet(task, PRIORITY_WOKEN);
    vTaskPrioritySet(task, PRIORITY_LOAD);
}

void run_crowd(void) {
    for (uint32_t i = 0; i < crowd_count; i++)
        run_and_lower(crowd[i]);
}

bool start_crowd_below(TaskFunction_t body, uint32_t count) {
    if (!start_crowd(body, count, PRIORITY_WOKEN, HELPER_STACK_WORDS))
        return false;
    run_crowd();
    return true;
}

void run_timer_daemon(void) {
    run_and_lower(xTimerGetTimerDaemonTaskHandle());
}

void never_run(void *unused) {
    for (;;)
        vTaskSuspend(NULL);
}
