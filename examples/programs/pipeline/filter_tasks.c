/* Three tasks with FreeRTOS and two queues between them: one reads samples of 16 bits, one filters
 * them, one counts levels and writes.   filter_tasks INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "task.h"

enum { BLOCK = 32, WAITING = 4, TAPS = 16, STACK_WORDS = 2048 };

struct block {
    int count; /* 0: there are no more */
    int16_t samples[BLOCK];
};

static QueueHandle_t raw, filtered;
static FILE *input, *output;

static void read_samples(void *unused) {
    struct block block;
    (void)unused;
    do {
        block.count = (int)fread(block.samples, sizeof *block.samples, BLOCK, input);
        xQueueSend(raw, &block, portMAX_DELAY);
    } while (block.count);
    vTaskDelete(NULL);
}

/* A low pass of fixed taps: their sum is 2 to the power of 15. */
static const int16_t taps[TAPS] = {120,  364,  787,  1395, 2127, 2865, 3477, 5249,
                                   5249, 3477, 2865, 2127, 1395, 787,  364,  120};

static int16_t next_of_filter(int16_t sample) {
    static int16_t past[TAPS];
    static int at;
    int32_t sum = 1 << 14;
    past[at] = sample;
    for (int i = 0; i < TAPS; i++)
        sum += taps[i] * past[(at + TAPS - i) % TAPS];
    at = (at + 1) % TAPS;
    return (int16_t)(sum >> 15);
}

static void filter_samples(void *unused) {
    struct block block;
    (void)unused;
    do {
        xQueueReceive(raw, &block, portMAX_DELAY);
        for (int i = 0; i < block.count; i++)
            block.samples[i] = next_of_filter(block.samples[i]);
        xQueueSend(filtered, &block, portMAX_DELAY);
    } while (block.count);
    vTaskDelete(NULL);
}

static void write_levels(void *unused) {
    static unsigned long levels[16];
    struct block block;
    (void)unused;
    for (;;) {
        xQueueReceive(filtered, &block, portMAX_DELAY);
        if (block.count == 0)
            break;
        for (int i = 0; i < block.count; i++)
            levels[(block.samples[i] + 32768) >> 12]++;
        fwrite(block.samples, sizeof *block.samples, (size_t)block.count, output);
    }
    fclose(output);
    for (int i = 0; i < 16; i++)
        printf("%2d %lu\n", i, levels[i]);
    exit(0);
}

int main(int argc, char **argv) {
    if (argc != 3 || (input = fopen(argv[1], "rb")) == NULL ||
        (output = fopen(argv[2], "wb")) == NULL)
        return 2;
    raw = xQueueCreate(WAITING, sizeof(struct block));
    filtered = xQueueCreate(WAITING, sizeof(struct block));
    xTaskCreate(read_samples, "read", STACK_WORDS, NULL, 1, NULL);
    xTaskCreate(filter_samples, "filter", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(write_levels, "write", STACK_WORDS, NULL, 3, NULL);
    vTaskStartScheduler();
    return 1;
}
