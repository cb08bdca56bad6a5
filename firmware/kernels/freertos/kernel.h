/* FreeRTOS as the harness sees it. */
#ifndef KERNEL_H
#define KERNEL_H

#include <stdint.h>

#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "case.h"

#define KERNEL_NAME "FreeRTOS " tskKERNEL_VERSION_NUMBER
#define KERNEL_TICK_HZ configTICK_RATE_HZ

/* Ticks counted so far; those that fell while the scheduler was suspended count once it resumes. */
static inline uint32_t kernel_ticks(void) {
    return xTaskGetTickCount();
}

/* Lets the other ready tasks of the same priority run. */
static inline void kernel_yield(void) {
    taskYIELD();
}

/* Waits for the next interrupt. */
static inline void kernel_sleep(void) {
    board_sleep();
}

/* Heap that is left. It is in one piece between series: every tear-down gives everything back. */
static inline uint32_t kernel_free_bytes(void) {
    return xPortGetFreeHeapSize();
}

/* Brings back to where it was what a series would leave to the next: nothing, as tear-downs do. */
#ifdef BYSTANDERS
void kernel_begin_series(void);
#else
static inline void kernel_begin_series(void) {}
#endif

/* Runs a timed function in an interrupt service routine; returns when that is over. */
void kernel_interrupt(timed_function *timed, const struct series *series, struct timing *timing);

#endif
