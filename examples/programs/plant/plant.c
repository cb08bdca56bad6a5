/* A plant under FreeRTOS: sensors measure, a controller with the greatest priority sets what they
 * act on, a logger with a low one keeps the last settings.   plant SAMPLES OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

enum { SENSORS = 4, STACK_WORDS = 2048, TAPS = 24, KEPT = 16 };

struct sample {
    int sensor, value, number;
};

static QueueHandle_t measured, logged;
static SemaphoreHandle_t table, done, answered[SENSORS];
static int samples;
static int settings[SENSORS], sums[SENSORS];
static FILE *output;

static int filtered(int *history, int value) {
    int sum = 0;
    for (int i = TAPS - 1; i > 0; i--)
        history[i] = history[i - 1];
    history[0] = value;
    for (int i = 0; i < TAPS; i++)
        sum += history[i] * (i < TAPS / 2 ? i + 1 : TAPS - i);
    return sum / (TAPS * TAPS / 4);
}

static void sense(void *argument) {
    int sensor = (int)(size_t)argument, history[TAPS] = {0};
    unsigned seed = 77u * (unsigned)sensor + 5u;
    for (int i = 0; i < samples; i++) {
        struct sample one = {sensor, 0, i};
        seed = seed * 1664525u + 1013904223u;
        one.value = filtered(history, (int)(seed >> 20) + 100 * (i % 16));
        xQueueSend(measured, &one, portMAX_DELAY);
        xSemaphoreTake(answered[sensor], portMAX_DELAY);
        xSemaphoreTake(table, portMAX_DELAY);
        one.value = settings[sensor];
        xSemaphoreGive(table);
        sums[sensor] = sums[sensor] * 7 + one.value;
    }
    xSemaphoreGive(done);
    vTaskDelete(NULL);
}

static void control(void *unused) {
    struct sample one;
    int integral[SENSORS] = {0}, before[SENSORS] = {0};
    (void)unused;
    for (;;) {
        xQueueReceive(measured, &one, portMAX_DELAY);
        int error = 2000 - one.value;
        integral[one.sensor] += error;
        int setting =
            (6 * error + integral[one.sensor] / 8 + 3 * (error - before[one.sensor])) / 16;
        before[one.sensor] = error;
        xSemaphoreTake(table, portMAX_DELAY);
        settings[one.sensor] = one.value = setting;
        xSemaphoreGive(table);
        xSemaphoreGive(answered[one.sensor]);
        if (one.number % 3 == 0)
            xQueueSend(logged, &one, portMAX_DELAY);
    }
}

static struct record { int count, least, greatest, last[KEPT]; } records[SENSORS];

static void keep_log(void *unused) {
    struct sample one;
    (void)unused;
    for (;;) {
        xQueueReceive(logged, &one, portMAX_DELAY);
        struct record *of = &records[one.sensor];
        if (of->count == 0 || one.value < of->least)
            of->least = one.value;
        if (of->count == 0 || one.value > of->greatest)
            of->greatest = one.value;
        of->last[of->count++ % KEPT] = one.value;
    }
}

static void finish(void *unused) {
    (void)unused;
    for (int i = 0; i < SENSORS; i++)
        xSemaphoreTake(done, portMAX_DELAY);
    for (int i = 0; i < SENSORS; i++) {
        const struct record *of = &records[i];
        fprintf(output, "sensor %d: %5d values from %6d to %6d;", i, of->count, of->least,
                of->greatest);
        for (int k = 0; k < KEPT && k < of->count; k++)
            fprintf(output, " %d", of->last[(of->count + k) % KEPT]);
        fputc('\n', output);
    }
    fclose(output);
    for (int i = 0; i < SENSORS; i++)
        printf("sensor %d: %d\n", i, sums[i]);
    exit(0);
}

int main(int argc, char **argv) {
    if (argc != 3 || (samples = atoi(argv[1])) < 1 || (output = fopen(argv[2], "w")) == NULL)
        return 2;
    measured = xQueueCreate(SENSORS, sizeof(struct sample));
    logged = xQueueCreate(16, sizeof(struct sample));
    table = xSemaphoreCreateMutex();
    done = xSemaphoreCreateCounting(SENSORS, 0);
    xTaskCreate(control, "control", STACK_WORDS, NULL, 4, NULL);
    for (int i = 0; i < SENSORS; i++) {
        answered[i] = xSemaphoreCreateBinary();
        xTaskCreate(sense, "sense", STACK_WORDS, (void *)(size_t)i, 3, NULL);
    }
    xTaskCreate(keep_log, "log", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(finish, "finish", STACK_WORDS, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
