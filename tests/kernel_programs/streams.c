/* A stream of bytes and messages of several lengths. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "message_buffer.h"
#include "stream_buffer.h"
#include "task.h"

enum { ROUNDS = 200, MOST = 40 };

static StreamBufferHandle_t stream;
static MessageBufferHandle_t messages;

static void send(void *unused) {
    uint8_t data[MOST];
    memset(data, 0x5a, sizeof data);
    for (int round = 0; round < ROUNDS; round++) {
        data[0] = (uint8_t)round;
        xStreamBufferSend(stream, data, 1 + round % 24, portMAX_DELAY);
        xMessageBufferSend(messages, data, 4 + round % 36, portMAX_DELAY);
    }
    vTaskDelete(NULL);
}

static void receive(void *unused) {
    uint8_t data[MOST];
    uint32_t sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t length = xMessageBufferReceive(messages, data, sizeof data, portMAX_DELAY);
        sum += data[0] + length;
        while ((length = xStreamBufferReceive(stream, data, 16, 0)))
            sum += data[0] * length;
    }
    exit(sum & 0x7f);
}

int main(void) {
    stream = xStreamBufferCreate(128, 1);
    messages = xMessageBufferCreate(128);
    xTaskCreate(send, "send", 512, NULL, 2, NULL);
    xTaskCreate(receive, "receive", 512, NULL, 2, NULL);
    vTaskStartScheduler();
}
