/* A dashboard on a CAN bus under FreeRTOS. A task sends frames as nodes would. A receiver filters
 * and decodes them by a table of signals, and a display task shows them. dashboard FRAMES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#define STACK_WORDS 1024
#define COUNT(table) (sizeof(table) / sizeof *(table))

typedef struct {
    uint32_t id : 29, extended : 1, remote : 1, error : 1;
    uint8_t length;
    uint8_t data[8];
} frame_t;

typedef enum { LITTLE, BIG } endian_t;

typedef struct {
    uint32_t id;
    uint8_t start, bits, is_signed;
    endian_t order;
    int32_t factor, offset; /* In thousandths. */
    const char *name, *unit;
} signal_t;

typedef struct {
    int32_t value, low, high;
    uint32_t heard;
} state_t;

static const signal_t SIGNALS[] = {
    {0x0C0, 0, 16, 0, LITTLE, 250, 0, "engine", "rpm"},
    {0x0C0, 16, 8, 0, LITTLE, 1000, -40000, "coolant", "C"},
    {0x0C0, 24, 12, 1, LITTLE, 500, 0, "torque", "Nm"},
    {0x1A0, 7, 16, 0, BIG, 10, 0, "speed", "km/h"},
    {0x1A0, 23, 12, 1, BIG, 100, 0, "steering", "deg"},
    {0x1A0, 27, 4, 0, BIG, 1000, 0, "gear", ""},
    {0x2F1, 3, 5, 0, LITTLE, 1000, 0, "lamps", ""},
    {0x2F1, 8, 24, 0, LITTLE, 100, 0, "odometer", "km"},
    {0x18FEF1, 12, 10, 0, LITTLE, 100, 0, "fuel", "l"},
};

static state_t states[COUNT(SIGNALS)];
static QueueHandle_t received;
static SemaphoreHandle_t lock, refresh;
static uint32_t seed = 77, to_send;
static struct { uint32_t frames, ignored, bad; } totals;
static FILE *output;

static uint32_t draw(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static uint32_t bits_little(const uint8_t *data, int start, int bits) {
    uint32_t value = 0;
    for (int i = 0; i < bits; i++) {
        int at = start + i;
        value |= (uint32_t)(data[at >> 3] >> (at & 7) & 1) << i;
    }
    return value;
}

static uint32_t bits_big(const uint8_t *data, int start, int bits) {
    uint32_t value = 0;
    int byte = start >> 3, bit = start & 7;
    while (bits-- > 0) {
        value = value << 1 | (data[byte] >> bit & 1);
        if (--bit < 0) {
            bit = 7;
            byte++;
        }
    }
    return value;
}

static int32_t decode(const signal_t *signal, const uint8_t *data) {
    uint32_t raw = signal->order == BIG ? bits_big(data, signal->start, signal->bits)
                                        : bits_little(data, signal->start, signal->bits);
    int32_t value = (int32_t)raw;
    if (signal->is_signed && raw >> (signal->bits - 1))
        value -= (int32_t)1 << signal->bits;
    return value * signal->factor + signal->offset;
}

static uint16_t crc15(const frame_t *frame) {
    uint16_t crc = 0;
    for (int i = 0; i < frame->length; i++) {
        for (int bit = 7; bit >= 0; bit--) {
            int next = (frame->data[i] >> bit & 1) ^ (crc >> 14 & 1);
            crc = (uint16_t)(crc << 1 & 0x7FFF);
            if (next)
                crc ^= 0x4599;
        }
    }
    return crc;
}

typedef struct {
    frame_t frame;
    uint16_t crc;
} wire_t;

static void nodes(void *unused) {
    static const uint32_t IDS[] = {0x0C0, 0x1A0, 0x2F1, 0x18FEF1, 0x7DF, 0x0C0, 0x1A0};
    (void)unused;
    for (uint32_t i = 0; i < to_send; i++) {
        wire_t wire = {.frame = {.id = IDS[draw() % COUNT(IDS)], .length = 8}};
        wire.frame.extended = wire.frame.id > 0x7FF;
        for (int k = 0; k < 8; k++)
            wire.frame.data[k] = (uint8_t)(draw() >> 9);
        wire.crc = crc15(&wire.frame);
        if (draw() % 23 == 0)
            wire.frame.data[draw() & 7] ^= 4;
        xQueueSend(received, &wire, portMAX_DELAY);
    }
    wire_t last = {.frame = {.error = 1}};
    xQueueSend(received, &last, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void note(const frame_t *frame) {
    int known = 0;
    xSemaphoreTake(lock, portMAX_DELAY);
    for (unsigned i = 0; i < COUNT(SIGNALS); i++) {
        if (SIGNALS[i].id != frame->id)
            continue;
        state_t *state = &states[i];
        state->value = decode(&SIGNALS[i], frame->data);
        if (!state->heard++ || state->value < state->low)
            state->low = state->value;
        if (state->heard == 1 || state->value > state->high)
            state->high = state->value;
        known = 1;
    }
    totals.ignored += !known;
    xSemaphoreGive(lock);
}

static void receiver(void *unused) {
    wire_t wire;
    (void)unused;
    for (;;) {
        xQueueReceive(received, &wire, portMAX_DELAY);
        if (wire.frame.error)
            break;
        totals.frames++;
        if (crc15(&wire.frame) != wire.crc)
            totals.bad++;
        else
            note(&wire.frame);
        if (totals.frames % 64 == 0)
            xSemaphoreGive(refresh);
    }
    to_send = 0;
    xSemaphoreGive(refresh);
    vTaskDelete(NULL);
}

static void put_milli(int32_t value) {
    uint32_t size = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    fprintf(output, "%s%lu.%03lu", value < 0 ? "-" : "", (unsigned long)(size / 1000),
            (unsigned long)(size % 1000));
}

static void display(void *unused) {
    (void)unused;
    do {
        xSemaphoreTake(refresh, portMAX_DELAY);
        xSemaphoreTake(lock, portMAX_DELAY);
        for (unsigned i = 0; i < COUNT(SIGNALS); i++) {
            fprintf(output, "%-9s", SIGNALS[i].name);
            put_milli(states[i].value);
            fprintf(output, " %s (", SIGNALS[i].unit);
            put_milli(states[i].low);
            fputs(" to ", output);
            put_milli(states[i].high);
            fputs(")\n", output);
        }
        xSemaphoreGive(lock);
    } while (to_send);
    printf("%u frames, %u ignored, %u bad\n", (unsigned)totals.frames, (unsigned)totals.ignored,
           (unsigned)totals.bad);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 3 || !(output = fopen(argv[2], "w")))
        return 2;
    to_send = (uint32_t)atoi(argv[1]);
    received = xQueueCreate(8, sizeof(wire_t));
    lock = xSemaphoreCreateMutex();
    refresh = xSemaphoreCreateBinary();
    xTaskCreate(nodes, "nodes", STACK_WORDS, NULL, 1, NULL);
    xTaskCreate(receiver, "receiver", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(display, "display", STACK_WORDS, NULL, 3, NULL);
    vTaskStartScheduler();
    return 1;
}
