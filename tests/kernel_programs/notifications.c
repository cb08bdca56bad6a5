/* Notifications as counting semaphores and as values, up and down the priorities. */
#include <stdint.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "task.h"

enum { ROUNDS = 250 };

static TaskHandle_t above, below, middle;
static uint32_t seen;

static void wait_above(void *unused) {
    for (;;) {
        uint32_t value;
        xTaskNotifyWait(0, 0xffffffffu, &value, portMAX_DELAY);
        seen += value;
    }
}

static void wait_below(void *unused) {
    for (;;) {
        seen ^= ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        xTaskNotifyGive(middle);
    }
}

static void notify(void *unused) {
    for (uint32_t round = 0; round < ROUNDS; round++) {
        xTaskNotify(above, round, eSetValueWithOverwrite);
        xTaskNotify(above, 1u << (round & 7), eSetBits);
        xTaskNotifyGive(below);
        xTaskNotifyGive(below);
        seen += ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        ulTaskNotifyTake(pdTRUE, 0);
    }
    exit(seen & 0x7f);
}

int main(void) {
    xTaskCreate(wait_above, "above", 512, NULL, 3, &above);
    xTaskCreate(wait_below, "below", 512, NULL, 1, &below);
    xTaskCreate(notify, "notify", 512, NULL, 2, &middle);
    vTaskStartScheduler();
}
