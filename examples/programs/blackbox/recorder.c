/* A vehicle's recorder: three sensors send records of many lengths by message buffers, one sensor
 * after another. Bits of a notification say who has one, and wake the task that keeps them. Under
 * FreeRTOS.
 * recorder ROUNDS SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "message_buffer.h"
#include "task.h"

#define SENSORS 3
#define LONGEST 40
#define STOP (1u << SENSORS)
#define STACK_WORDS 1024

typedef struct {
    uint32_t seed, lost;
    int32_t value;
    int number;
    TaskHandle_t task;
    MessageBufferHandle_t records;
} sensor_t;

static sensor_t sensors[SENSORS];
static TaskHandle_t keeper_task;
static int rounds;
static FILE *output;

static uint32_t draw(sensor_t *sensor) {
    sensor->seed = sensor->seed * 1664525u + 1013904223u;
    return sensor->seed >> 16;
}

/* Small differences take one byte: zigzag, seven bits a byte. */
static size_t put_varint(uint8_t *to, int32_t value) {
    uint32_t left = (uint32_t)value << 1 ^ (uint32_t)(value >> 31);
    size_t size = 0;
    do {
        to[size++] = (uint8_t)((left & 127) | (left > 127 ? 128 : 0));
        left >>= 7;
    } while (left);
    return size;
}

/* A burst of samples, which are those of a walk that sometimes jumps. */
static size_t burst(sensor_t *sensor, uint8_t *record) {
    uint32_t samples = 2 + draw(sensor) % 8;
    size_t size = 0;
    record[size++] = (uint8_t)(sensor->number << 4 | samples);
    while (samples--) {
        int32_t step = (int32_t)(draw(sensor) % 101) - 50;
        if (draw(sensor) % 16 == 0)
            step *= 400;
        sensor->value += step;
        size += put_varint(record + size, step);
    }
    return size;
}

static void sense(void *given) {
    sensor_t *sensor = given, *next = &sensors[(sensor->number + 1) % SENSORS];
    uint8_t record[LONGEST];
    for (int round = 0; round < rounds; round++) {
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        size_t size = burst(sensor, record);
        if (xMessageBufferSend(sensor->records, record, size, 0) != size)
            sensor->lost++;
        if (draw(sensor) % 3) /* otherwise it is kept with the next one */
            xTaskNotify(keeper_task, 1u << sensor->number, eSetBits);
        xTaskNotifyGive(next->task);
    }
    if (sensor->number == SENSORS - 1)
        xTaskNotify(keeper_task, STOP, eSetBits);
    vTaskSuspend(NULL);
}

static uint8_t crc8(const uint8_t *data, size_t size) {
    uint8_t crc = 0xFF;
    while (size--) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x1D : crc << 1);
    }
    return crc;
}

static void keep(void *unused) {
    uint8_t record[LONGEST + 2];
    uint32_t bits = 0, wakes = 0, records = 0, longest = 0;
    size_t size;
    (void)unused;
    while (!(bits & STOP)) {
        xTaskNotifyWait(0, UINT32_MAX, &bits, portMAX_DELAY);
        wakes++;
        for (int i = 0; i < SENSORS; i++) {
            if (!(bits & (1u << i | STOP)))
                continue;
            while ((size = xMessageBufferReceive(sensors[i].records, record + 1, LONGEST, 0)) > 0) {
                record[0] = (uint8_t)size;
                record[size + 1] = crc8(record, size + 1);
                fwrite(record, 1, size + 2, output);
                records++;
                if (size > longest)
                    longest = size;
            }
        }
    }
    printf("%lu records, %lu wakes, the longest of %lu bytes\n", (unsigned long)records,
           (unsigned long)wakes, (unsigned long)longest);
    for (int i = 0; i < SENSORS; i++)
        printf("sensor %d at %ld, %lu lost\n", i, (long)sensors[i].value,
               (unsigned long)sensors[i].lost);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    rounds = atoi(argv[1]);
    output = fopen(argv[3], "wb");
    if (!output)
        return 1;
    xTaskCreate(keep, "keep", STACK_WORDS, NULL, 3, &keeper_task);
    for (int i = 0; i < SENSORS; i++) {
        sensor_t *one = &sensors[i];
        one->seed = (uint32_t)strtoul(argv[2], NULL, 10) + 1000u * (uint32_t)i;
        one->number = i;
        one->records = xMessageBufferCreate(160);
        if (!one->records)
            return 1;
        xTaskCreate(sense, "sense", STACK_WORDS, one, 2, &one->task);
    }
    xTaskNotifyGive(sensors[0].task);
    vTaskStartScheduler();
    return 1;
}
