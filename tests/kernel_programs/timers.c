/* Timers, delays and periodic work beside a task that computes. */
#include <stdint.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "task.h"
#include "timers.h"

static volatile uint32_t state = 1, expired, periods;

static void expire(TimerHandle_t timer) {
    expired++;
    if (expired == 12)
        xTimerStop(timer, 0);
}

static void periodic(void *unused) {
    TickType_t woken = xTaskGetTickCount();
    for (;;) {
        vTaskDelayUntil(&woken, 3);
        periods++;
    }
}

static void compute(void *unused) {
    for (int part = 0; part < 8; part++) {
        for (int step = 0; step < 12000; step++)
            state = state * 1664525u + 1013904223u;
        vTaskDelay(2);
    }
    exit((state >> 26) + expired);
}

int main(void) {
    TimerHandle_t timer = xTimerCreate("timer", 2, pdTRUE, NULL, expire);
    xTimerStart(timer, 0);
    xTaskCreate(periodic, "period", 512, NULL, 3, NULL);
    xTaskCreate(compute, "compute", 512, NULL, 2, NULL);
    vTaskStartScheduler();
}
