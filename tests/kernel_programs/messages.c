/* Messages of 50 bytes, which lie beside a word in every other slot of their queue. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

enum { MESSAGES = 200, SLOTS = 4 };

struct message {
    uint8_t from, length;
    uint8_t bytes[48];
};

static QueueHandle_t sent, answered;

static void answer(void *unused) {
    struct message one;
    for (;;) {
        xQueueReceive(sent, &one, portMAX_DELAY);
        one.from ^= one.bytes[one.length % 48];
        xQueueSend(answered, &one, portMAX_DELAY);
    }
}

static void ask(void *unused) {
    struct message one;
    unsigned sum = 0;
    memset(&one, 0, sizeof one);
    for (int number = 0; number < MESSAGES; number++) {
        one.length = (uint8_t)(7 * number);
        one.bytes[number % 48]++;
        xQueueSend(sent, &one, portMAX_DELAY);
        xQueueReceive(answered, &one, portMAX_DELAY);
        sum = sum * 31 + one.from;
    }
    exit(sum & 0x7f);
}

int main(void) {
    sent = xQueueCreate(SLOTS, sizeof(struct message));
    answered = xQueueCreate(SLOTS, sizeof(struct message));
    xTaskCreate(answer, "answer", 512, NULL, 2, NULL);
    xTaskCreate(ask, "ask", 512, NULL, 1, NULL);
    vTaskStartScheduler();
}
