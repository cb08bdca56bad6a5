/* Bystanders: they are there before a case is set up, and until the board is reset. */
#include "cases/timer_case.h"
#include "kernel.h"

/* Written by the lab, before a series. */
volatile uint32_t bystander_kind, bystander_count;

enum { READY = 1, SUSPENDED, DELAYED, WAITING, ACTIVE_TIMERS, FREE_BLOCKS, OBJECTS };

/* Before everything that a case lets wait for a time, and after the end of every series. */
enum { DELAY_TICKS = PERIOD_TICKS / 10, SMALL = 8 };

static void delay_for_ever(void *unused) {
    for (;;)
        vTaskDelay(DELAY_TICKS);
}

static void start_task(TaskFunction_t body, UBaseType_t priority) {
    xTaskCreate(body, "other", HELPER_STACK_WORDS, NULL, priority, NULL);
}

static void start_timer(void) {
    xTimerChangePeriod(create_dormant_timer(), DELAY_TICKS, 0);
    run_timer_daemon();
}

/* No free block before it is as large, so that none is taken for it. */
static void leave_free_block(uint32_t index) {
    size_t bytes = (index + 1) * SMALL;
    void *block = pvPortMalloc(bytes);
    pvPortMalloc(bytes);
    vPortFree(block);
}

static void start_one(uint32_t kind, uint32_t index) {
    if (kind == READY) /* where it never runs, as the idle task never does */
        start_task(never_run, tskIDLE_PRIORITY);
    else if (kind == SUSPENDED)
        start_task(never_run, PRIORITY_WOKEN);
    else if (kind == DELAYED)
        start_task(delay_for_ever, PRIORITY_WOKEN);
    else if (kind == WAITING)
        start_task(wait_at_gate, PRIORITY_WOKEN);
    else if (kind == ACTIVE_TIMERS)
        start_timer();
    else if (kind == FREE_BLOCKS)
        leave_free_block(index);
    else if (kind == OBJECTS)
        xQueueCreate(1, sizeof(uint32_t));
}

void kernel_begin_series(void) {
    if (bystander_kind == WAITING)
        create_gate();
    for (uint32_t i = 0; i < bystander_count; i++)
        start_one(bystander_kind, i);
    bystander_count = 0;
}
