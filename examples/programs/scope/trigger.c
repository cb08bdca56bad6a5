/* An oscilloscope: a task samples into one of two buffers while another looks for the trigger in
 * the other one; a third keeps what was found. Semaphores that count, a mutex and notifications of
 * FreeRTOS. trigger BLOCKS LEVEL OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

#define BLOCK 128
#define BUFFERS 2
#define BINS 16
#define STACK_WORDS 1024

typedef struct {
    uint32_t triggers, period_sum, last_at;
    int16_t low, high;
    uint32_t bins[BINS];
} measured_t;

static int16_t buffers[BUFFERS][BLOCK];
static SemaphoreHandle_t empty, full, lock;
static TaskHandle_t keeper_task;
static measured_t measured;
static int blocks, level;
static FILE *output;

/* A rectangle through a filter of the first order, with a hum and noise on it. */
static int16_t sample(void) {
    static uint32_t time, noise = 1;
    static int32_t filter;
    int32_t wanted = time % 50 < 25 ? 6000 : -6000, hum = (int32_t)(time % 200) - 100;
    noise ^= noise << 13;
    noise ^= noise >> 17;
    noise ^= noise << 5;
    filter += (wanted - filter) / 4;
    time++;
    return (int16_t)(filter + (hum < 0 ? -hum : hum) * 8 + (int32_t)(noise & 255) - 128);
}

static void sampler(void *unused) {
    (void)unused;
    for (int number = 0; number < blocks; number++) {
        xSemaphoreTake(empty, portMAX_DELAY);
        int16_t *buffer = buffers[number % BUFFERS];
        for (int i = 0; i < BLOCK; i++)
            buffer[i] = sample();
        xSemaphoreGive(full);
    }
    vTaskDelete(NULL);
}

static void look(const int16_t *buffer, uint32_t at) {
    static int armed;
    for (int i = 0; i < BLOCK; i++) {
        int16_t now = buffer[i];
        if (now < measured.low)
            measured.low = now;
        if (now > measured.high)
            measured.high = now;
        measured.bins[(now + 8192) * BINS >> 14 & (BINS - 1)]++;
        if (now < level - 500) {
            armed = 1;
        } else if (armed && now >= level) {
            armed = 0;
            if (measured.triggers++)
                measured.period_sum += at + (uint32_t)i - measured.last_at;
            measured.last_at = at + (uint32_t)i;
        }
    }
}

static void finder(void *unused) {
    (void)unused;
    for (int number = 0; number < blocks; number++) {
        xSemaphoreTake(full, portMAX_DELAY);
        xSemaphoreTake(lock, portMAX_DELAY);
        look(buffers[number % BUFFERS], (uint32_t)number * BLOCK);
        xSemaphoreGive(lock);
        xSemaphoreGive(empty);
        if (number % 16 == 15) {
            xTaskNotify(keeper_task, (uint32_t)number + 1, eSetValueWithOverwrite);
            ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        }
    }
    xTaskNotify(keeper_task, 0, eSetValueWithOverwrite);
    vTaskDelete(NULL);
}

static void keeper(void *finder_task) {
    uint32_t number;
    for (;;) {
        xTaskNotifyWait(0, UINT32_MAX, &number, portMAX_DELAY);
        if (number == 0)
            break;
        xSemaphoreTake(lock, portMAX_DELAY);
        uint32_t periods = measured.triggers > 1 ? measured.triggers - 1 : 1;
        fprintf(output, "%lu: %d to %d, %lu triggers, period %lu.%02lu |", (unsigned long)number,
                measured.low, measured.high, (unsigned long)measured.triggers,
                (unsigned long)(measured.period_sum / periods),
                (unsigned long)(measured.period_sum % periods * 100 / periods));
        for (int i = 0; i < BINS; i++)
            fprintf(output, " %lu", (unsigned long)measured.bins[i]);
        fputc('\n', output);
        memset(measured.bins, 0, sizeof measured.bins);
        xSemaphoreGive(lock);
        xTaskNotifyGive(*(TaskHandle_t *)finder_task);
    }
    printf("%d samples, %lu triggers\n", blocks * BLOCK, (unsigned long)measured.triggers);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    static TaskHandle_t finder_task;
    if (argc != 4)
        return 2;
    blocks = atoi(argv[1]);
    level = atoi(argv[2]);
    output = fopen(argv[3], "w");
    empty = xSemaphoreCreateCounting(BUFFERS, BUFFERS);
    full = xSemaphoreCreateCounting(BUFFERS, 0);
    lock = xSemaphoreCreateMutex();
    if (!output || !empty || !full || !lock)
        return 1;
    xTaskCreate(sampler, "sampler", STACK_WORDS, NULL, 1, NULL);
    xTaskCreate(finder, "finder", STACK_WORDS, NULL, 2, &finder_task);
    xTaskCreate(keeper, "keeper", STACK_WORDS, &finder_task, 3, &keeper_task);
    vTaskStartScheduler();
    return 1;
}
