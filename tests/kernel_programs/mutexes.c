/* Three tasks of different priorities share a mutex, so that priorities are inherited. */
#include <stdint.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

enum { ROUNDS = 120 };

static SemaphoreHandle_t mutex, nested, wake;
static uint32_t table[32];
static int done;

static void change(uint32_t by) {
    for (int at = 0; at < 32; at++)
        table[at] = table[at] * 5 + by;
}

static void urgent(void *unused) {
    for (;;) {
        xSemaphoreTake(wake, portMAX_DELAY);
        xSemaphoreTake(mutex, portMAX_DELAY);
        change(3);
        xSemaphoreGive(mutex);
        done++;
    }
}

static void slow(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        xSemaphoreTake(mutex, portMAX_DELAY);
        change(1);
        xSemaphoreGive(wake);
        change(2);
        xSemaphoreGive(mutex);
        xSemaphoreTakeRecursive(nested, portMAX_DELAY);
        xSemaphoreTakeRecursive(nested, portMAX_DELAY);
        change(4);
        xSemaphoreGiveRecursive(nested);
        xSemaphoreGiveRecursive(nested);
    }
    exit((table[7] >> 20 ^ done) & 0x7f);
}

int main(void) {
    mutex = xSemaphoreCreateMutex();
    nested = xSemaphoreCreateRecursiveMutex();
    wake = xSemaphoreCreateBinary();
    xTaskCreate(urgent, "urgent", 512, NULL, 3, NULL);
    xTaskCreate(slow, "slow", 512, NULL, 2, NULL);
    vTaskStartScheduler();
}
