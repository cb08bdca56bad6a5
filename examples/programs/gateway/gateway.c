/* A gateway under FreeRTOS: a reader cuts a stream into frames, and a pool of blocks carries them
 * to workers. These check and unpack them. A writer puts them into order again.
 * gateway INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#define BLOCKS 6
#define WORKERS 3
#define PAYLOAD 48
#define STACK_WORDS 2048

typedef struct {
    uint32_t number;
    uint8_t length, kind, bad;
    uint8_t payload[PAYLOAD];
    int32_t value[PAYLOAD / 2];
    uint8_t values;
} block_t;

static QueueHandle_t free_blocks, to_check, to_write;
static SemaphoreHandle_t statistics;
static struct { uint32_t frames, bad, values[4]; } totals;
static FILE *input, *output;

static uint16_t fletcher(const uint8_t *data, size_t length) {
    uint32_t low = 0, high = 0;
    while (length--) {
        low = (low + *data++) % 255;
        high = (high + low) % 255;
    }
    return (uint16_t)(high << 8 | low);
}

/* Frames: 0x7E, kind, length, payload, sum in two bytes. */
static void reader(void *unused) {
    uint32_t number = 0;
    block_t *block;
    int c;
    (void)unused;
    while ((c = fgetc(input)) != EOF) {
        if (c != 0x7E)
            continue;
        int kind = fgetc(input), length = fgetc(input);
        if (kind == EOF || length == EOF)
            break;
        if (length > PAYLOAD - 2)
            continue;
        xQueueReceive(free_blocks, &block, portMAX_DELAY);
        block->number = number++;
        block->kind = (uint8_t)kind;
        block->length = (uint8_t)length;
        block->values = block->bad = 0;
        if (fread(block->payload, 1, (size_t)length + 2, input) != (size_t)length + 2)
            block->bad = 1;
        xQueueSend(to_check, &block, portMAX_DELAY);
    }
    for (int i = 0; i < WORKERS; i++) {
        block = NULL;
        xQueueSend(to_check, &block, portMAX_DELAY);
    }
    vTaskDelete(NULL);
}

static void unpack_words(block_t *b) {
    for (int i = 0; i + 1 < b->length; i += 2)
        b->value[b->values++] = (int16_t)(b->payload[i] | b->payload[i + 1] << 8);
}

/* Differences to the value before, in seven bits a byte, with the sign in the lowest. */
static void unpack_deltas(block_t *b) {
    int32_t value = 0;
    uint32_t part = 0;
    int shift = 0;
    for (int i = 0; i < b->length && b->values < PAYLOAD / 2; i++) {
        part |= (uint32_t)(b->payload[i] & 0x7F) << shift;
        shift += 7;
        if (b->payload[i] & 0x80)
            continue;
        value += (int32_t)(part >> 1) ^ -(int32_t)(part & 1);
        b->value[b->values++] = value;
        part = 0;
        shift = 0;
    }
}

static void worker(void *unused) {
    block_t *block;
    (void)unused;
    for (;;) {
        xQueueReceive(to_check, &block, portMAX_DELAY);
        if (block == NULL) {
            xQueueSend(to_write, &block, portMAX_DELAY);
            vTaskDelete(NULL);
        }
        const uint8_t *sum = block->payload + block->length;
        if (fletcher(block->payload, block->length) != (sum[0] | sum[1] << 8))
            block->bad = 1;
        else if (block->kind & 1)
            unpack_deltas(block);
        else
            unpack_words(block);
        xSemaphoreTake(statistics, portMAX_DELAY);
        totals.frames++;
        totals.bad += block->bad;
        totals.values[block->kind & 3] += block->values;
        xSemaphoreGive(statistics);
        xQueueSend(to_write, &block, portMAX_DELAY);
    }
}

static void put(const block_t *block) {
    fprintf(output, "%u", (unsigned)block->number);
    if (block->bad)
        fputs(" bad", output);
    for (int i = 0; i < block->values; i++)
        fprintf(output, " %d", (int)block->value[i]);
    fputc('\n', output);
}

static void writer(void *unused) {
    block_t *early[BLOCKS] = {NULL}, *block;
    uint32_t next = 0;
    int working = WORKERS;
    (void)unused;
    while (working > 0) {
        xQueueReceive(to_write, &block, portMAX_DELAY);
        if (block == NULL) {
            working--;
            continue;
        }
        early[block->number % BLOCKS] = block;
        while ((block = early[next % BLOCKS]) != NULL) {
            put(block);
            early[next++ % BLOCKS] = NULL;
            xQueueSend(free_blocks, &block, portMAX_DELAY);
        }
    }
    fclose(output);
    printf("%u frames, %u bad, values", (unsigned)totals.frames, (unsigned)totals.bad);
    for (int kind = 0; kind < 4; kind++)
        printf(" %u", (unsigned)totals.values[kind]);
    putchar('\n');
    exit(0);
}

int main(int argc, char **argv) {
    if (argc != 3 || !(input = fopen(argv[1], "rb")) || !(output = fopen(argv[2], "w")))
        return 2;
    free_blocks = xQueueCreate(BLOCKS, sizeof(block_t *));
    to_check = xQueueCreate(BLOCKS, sizeof(block_t *));
    to_write = xQueueCreate(BLOCKS + WORKERS, sizeof(block_t *));
    statistics = xSemaphoreCreateMutex();
    for (int i = 0; i < BLOCKS; i++) {
        block_t *block = malloc(sizeof *block);
        if (block == NULL)
            return 1;
        xQueueSend(free_blocks, &block, 0);
    }
    xTaskCreate(reader, "reader", STACK_WORDS, NULL, 1, NULL);
    for (int i = 0; i < WORKERS; i++)
        xTaskCreate(worker, "worker", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(writer, "writer", STACK_WORDS, NULL, 3, NULL);
    vTaskStartScheduler();
    return 1;
}
