/* Four probes share one bus: its mutex, a transfer byte by byte, a chip that may not answer. In the
 * middle of a transfer the next probe, which is more urgent, wants the bus too. Their values go by
 * one queue to a task that filters them. Under FreeRTOS.
 * probes ROUNDS SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#define PROBES 4
#define MEDIAN 5
#define STACK_WORDS 1024

typedef enum { IDLE, START, ADDRESS, REGISTER, READ, STOP } state_t;

typedef struct {
    uint8_t address, registers[32];
    uint32_t seed;
} chip_t;

typedef struct {
    int number;
    unsigned reads, refused, wrong;
    chip_t chip;
    TaskHandle_t task;
} probe_t;

typedef union {
    uint8_t bytes[8];
    struct __attribute__((packed)) {
        uint8_t status;
        int16_t kelvin_16ths;
        uint32_t pascals : 20, humidity : 10, valid : 2;
        uint8_t check;
    } said;
} sample_t;

typedef struct {
    int probe;
    int32_t value[3];
} reading_t;

static probe_t probes[PROBES];
static SemaphoreHandle_t bus;
static QueueHandle_t readings;
static int rounds;
static unsigned transfers;
static FILE *output;

static uint32_t draw(uint32_t *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return *seed >> 16 & 0x7FFF;
}

static uint8_t crc8(const uint8_t *data, size_t size) {
    uint8_t crc = 0;
    while (size--) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)(crc & 0x80 ? crc << 1 ^ 0x07 : crc << 1);
    }
    return crc;
}

/* The chip makes a new sample when its first register is asked for. */
static void convert(probe_t *probe) {
    chip_t *chip = &probe->chip;
    sample_t sample;
    memset(&sample, 0, sizeof sample);
    sample.said.status = 0x80;
    sample.said.kelvin_16ths =
        (int16_t)(293 * 16 + probe->number * 20 + (int)(draw(&chip->seed) % 40) - 20);
    if (draw(&chip->seed) % 20 == 0)
        sample.said.kelvin_16ths = (int16_t)(sample.said.kelvin_16ths + 900);
    sample.said.pascals = 101000 + draw(&chip->seed) % 600;
    sample.said.humidity = 400 + draw(&chip->seed) % 50;
    sample.said.valid = 2;
    sample.said.check = crc8(sample.bytes, 7);
    if (draw(&chip->seed) % 25 == 0)
        sample.bytes[2] ^= 0x10;
    memcpy(chip->registers + 8, sample.bytes, sizeof sample.bytes);
}

/* 0 when the chip does not acknowledge. */
static int transfer(probe_t *probe, uint8_t address, uint8_t from, uint8_t *to, size_t size) {
    chip_t *chip = &probe->chip;
    size_t got = 0;
    state_t state = START;
    transfers++;
    while (state != IDLE) {
        switch (state) {
        case START:
            state = ADDRESS;
            break;
        case ADDRESS:
            state = chip->address == address && draw(&chip->seed) % 16 ? REGISTER : IDLE;
            if (state == IDLE)
                return 0;
            break;
        case REGISTER:
            if (from == 8)
                convert(probe);
            state = READ;
            break;
        case READ:
            to[got++] = chip->registers[from++ & 31];
            if (got == size)
                state = STOP;
            break;
        default:
            state = IDLE;
        }
        if (state == READ && got == 3 && probe->number + 1 < PROBES)
            xTaskNotifyGive(probes[probe->number + 1].task);
    }
    return 1;
}

static void probe_task(void *given) {
    probe_t *probe = given;
    for (;;) {
        sample_t sample;
        ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
        xSemaphoreTake(bus, portMAX_DELAY);
        probe->reads++;
        if (!transfer(probe, probe->chip.address, 8, sample.bytes, sizeof sample.bytes))
            probe->refused++;
        else if (crc8(sample.bytes, 7) != sample.said.check || sample.said.valid != 2)
            probe->wrong++;
        else {
            reading_t reading = {probe->number,
                                 {sample.said.kelvin_16ths, (int32_t)sample.said.pascals,
                                  (int32_t)sample.said.humidity}};
            xQueueSend(readings, &reading, portMAX_DELAY);
        }
        xSemaphoreGive(bus);
    }
}

/* Every round begins with the least urgent probe. */
static void pace(void *unused) {
    reading_t end = {-1, {0, 0, 0}};
    (void)unused;
    for (int round = 0; round < rounds; round++)
        xTaskNotifyGive(probes[0].task);
    xQueueSend(readings, &end, portMAX_DELAY);
    vTaskDelete(NULL);
}

static int ascending(const void *a, const void *b) {
    int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/* The median of a probe's last temperatures. */
static int32_t median(const int32_t *last) {
    int32_t sorted[MEDIAN];
    memcpy(sorted, last, sizeof sorted);
    qsort(sorted, MEDIAN, sizeof *sorted, ascending);
    return sorted[MEDIAN / 2];
}

static void gather(void *unused) {
    static int32_t last[PROBES][MEDIAN];
    static unsigned count[PROBES];
    reading_t reading;
    (void)unused;
    while (xQueueReceive(readings, &reading, portMAX_DELAY) && reading.probe >= 0) {
        int i = reading.probe;
        last[i][count[i]++ % MEDIAN] = reading.value[0];
        if (count[i] >= MEDIAN) {
            int32_t celsius_16ths = median(last[i]) - 273 * 16 - 2;
            fprintf(output, "%d %ld.%02ld C %ld Pa %ld\n", i, (long)(celsius_16ths / 16),
                    (long)(celsius_16ths % 16 * 100 / 16), (long)reading.value[1],
                    (long)reading.value[2]);
        }
    }
    for (int i = 0; i < PROBES; i++)
        printf("probe %d: %u reads, %u refused, %u wrong, %u kept\n", i, probes[i].reads,
               probes[i].refused, probes[i].wrong, count[i]);
    printf("%u transfers\n", transfers);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    rounds = atoi(argv[1]);
    output = fopen(argv[3], "w");
    bus = xSemaphoreCreateMutex();
    readings = xQueueCreate(6, sizeof(reading_t));
    if (!output || !bus || !readings)
        return 1;
    for (int i = 0; i < PROBES; i++) {
        probes[i].number = i;
        probes[i].chip.address = (uint8_t)(0x40 + i);
        probes[i].chip.seed = (uint32_t)strtoul(argv[2], NULL, 10) + 77u * (uint32_t)i;
        xTaskCreate(probe_task, "probe", STACK_WORDS, &probes[i], 2 + (UBaseType_t)i,
                    &probes[i].task);
    }
    xTaskCreate(gather, "gather", STACK_WORDS, NULL, 2 + PROBES, NULL);
    xTaskCreate(pace, "pace", STACK_WORDS, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
