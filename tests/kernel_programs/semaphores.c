/* Two tasks alternate by binary semaphores; a third counts with a counting one. */
#include <stdint.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

enum { ROUNDS = 400 };

static SemaphoreHandle_t ping, pong, room;
static volatile uint32_t state = 1;

static void work(int steps) {
    for (int step = 0; step < steps; step++)
        state = state * 1664525u + 1013904223u;
}

static void answer(void *unused) {
    for (;;) {
        xSemaphoreTake(ping, portMAX_DELAY);
        work(10);
        xSemaphoreGive(pong);
    }
}

static void ask(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        work(20);
        xSemaphoreGive(ping);
        xSemaphoreTake(pong, portMAX_DELAY);
        if (round % 4 == 0)
            xSemaphoreGive(room);
        while (round % 16 == 15 && xSemaphoreTake(room, 0) == pdTRUE)
            work(3);
    }
    exit(state >> 26);
}

int main(void) {
    ping = xSemaphoreCreateBinary();
    pong = xSemaphoreCreateBinary();
    room = xSemaphoreCreateCounting(8, 0);
    xTaskCreate(answer, "answer", 512, NULL, 3, NULL);
    xTaskCreate(ask, "ask", 512, NULL, 2, NULL);
    vTaskStartScheduler();
}
