/* Tasks and queues come and go; two tasks of one priority alternate by the tick and by yielding. */
#include <stdint.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

enum { ROUNDS = 60 };

static volatile uint32_t state = 1;
static int finished;

static void short_lived(void *argument) {
    QueueHandle_t to = argument;
    uint32_t word = state;
    xQueueSend(to, &word, 0);
    vTaskDelete(NULL);
}

static void spin(void *unused) {
    for (int step = 0; step < 30000; step++)
        state = state * 1664525u + 1013904223u;
    finished++;
    vTaskDelete(NULL);
}

static void create(void *unused) {
    uint32_t sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        QueueHandle_t queue = xQueueCreate(1 + round % 5, sizeof(uint32_t));
        SemaphoreHandle_t mutex = xSemaphoreCreateMutex();
        uint32_t word;
        xTaskCreate(short_lived, "short", 256, queue, 3, NULL);
        xQueueReceive(queue, &word, portMAX_DELAY);
        sum += word;
        vSemaphoreDelete(mutex);
        vQueueDelete(queue);
        void *block = pvPortMalloc(24 + round);
        taskENTER_CRITICAL();
        state += sum;
        taskEXIT_CRITICAL();
        vPortFree(block);
        taskYIELD();
        if (round % 10 == 9)
            vTaskDelay(1);
    }
    while (finished < 2)
        taskYIELD();
    exit(sum & 0x7f);
}

int main(void) {
    xTaskCreate(create, "create", 512, NULL, 2, NULL);
    xTaskCreate(spin, "spin", 512, NULL, 2, NULL);
    xTaskCreate(spin, "spin", 512, NULL, 2, NULL);
    vTaskStartScheduler();
}
