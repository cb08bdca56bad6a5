/* A producer, a filter and a consumer with queues of words and of larger items. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

enum { ITEMS = 300 };

struct item {
    uint32_t number;
    uint32_t samples[11];
};

static QueueHandle_t words, items;

static uint32_t mixed(uint32_t value) {
    for (int round = 0; round < 4; round++)
        value = (value ^ (value >> 7)) * 2654435761u;
    return value;
}

static void produce(void *unused) {
    for (uint32_t number = 0; number < ITEMS; number++) {
        uint32_t word = mixed(number);
        xQueueSend(words, &word, portMAX_DELAY);
    }
    vTaskDelete(NULL);
}

static void filter(void *unused) {
    struct item item;
    for (item.number = 0;; item.number++) {
        uint32_t word;
        xQueueReceive(words, &word, portMAX_DELAY);
        for (int at = 0; at < 11; at++)
            item.samples[at] = word >> at;
        xQueueSend(items, &item, portMAX_DELAY);
    }
}

static void consume(void *unused) {
    uint32_t sum = 0;
    for (int number = 0; number < ITEMS; number++) {
        struct item item;
        xQueueReceive(items, &item, portMAX_DELAY);
        for (int at = 0; at < 11; at++)
            sum += item.samples[at] ^ item.number;
    }
    exit(sum & 0x7f);
}

int main(void) {
    words = xQueueCreate(4, sizeof(uint32_t));
    items = xQueueCreate(8, sizeof(struct item));
    xTaskCreate(produce, "produce", 512, NULL, 1, NULL);
    xTaskCreate(filter, "filter", 512, NULL, 2, NULL);
    xTaskCreate(consume, "consume", 512, NULL, 1, NULL);
    vTaskStartScheduler();
}
