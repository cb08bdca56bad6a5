/* Reads the bar codes (EAN-13) that pass a line camera. Two tasks share a ring of lines, and count
 * free and full ones by notifications; numbers go to a third one by a message buffer. Under
 * FreeRTOS.   scanner LABELS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "message_buffer.h"
#include "task.h"

#define PIXELS 400
#define RING 4
#define MOST_RUNS 120
#define BARS 59
#define DIGITS 13
#define FARTHEST 48 /* of the widths of a digit, in sixteenths of a module */
#define MOST_GOODS 64
#define STACK_WORDS 1024

static uint8_t ring[RING][PIXELS];
static unsigned lines;
static int ended;
static TaskHandle_t camera_task, reader_task;
static MessageBufferHandle_t numbers;
static FILE *input, *output;

/* Widths of space, bar, space, bar of the digits on the left with odd parity. */
static const uint8_t widths[10][4] = {{3, 2, 1, 1}, {2, 2, 2, 1}, {2, 1, 2, 2}, {1, 4, 1, 1},
                                      {1, 1, 3, 2}, {1, 2, 3, 1}, {1, 1, 1, 4}, {1, 3, 1, 2},
                                      {1, 2, 1, 3}, {3, 1, 1, 2}};
static const uint8_t parities[10] = {0x00, 0x0B, 0x0D, 0x0E, 0x13, 0x19, 0x1C, 0x15, 0x16, 0x1A};

static void camera(void *unused) {
    (void)unused;
    for (;;) {
        ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        if (fread(ring[lines % RING], 1, PIXELS, input) != PIXELS)
            break;
        lines++;
        xTaskNotifyGive(reader_task);
    }
    ended = 1;
    xTaskNotifyGive(reader_task);
    vTaskDelete(NULL);
}

/* Lengths of runs of light and dark in sixteenths of a pixel; the first one is light. */
static int find_runs(const uint8_t *line, int *runs) {
    int low = 255, high = 0, count = 0, from = 0, dark = 0;
    for (int x = 0; x < PIXELS; x++) {
        if (line[x] < low)
            low = line[x];
        if (line[x] > high)
            high = line[x];
    }
    int level = (low + high) / 2;
    for (int x = 1; x < PIXELS && count < MOST_RUNS; x++) {
        if ((line[x] < level) == dark)
            continue;
        int before = line[x - 1], step = line[x] - before;
        int edge = 16 * (x - 1) + (step ? 16 * (level - before) / step : 0);
        runs[count++] = edge - from;
        from = edge;
        dark = !dark;
    }
    if (count < MOST_RUNS)
        runs[count++] = 16 * PIXELS - from;
    return count;
}

/* The digit whose widths are nearest; how far off is added up. */
static int digit(const int *runs, int step, int mirrored, int *error) {
    int total = 0, least = 1 << 30, found = 0;
    for (int i = 0; i < 4; i++)
        total += runs[i * step];
    if (total <= 0)
        return -1;
    for (int number = 0; number < 10; number++) {
        int off = 0;
        for (int i = 0; i < 4; i++) {
            int is = runs[i * step] * 7 * 16 / total;
            int wanted = 16 * widths[number][mirrored ? 3 - i : i];
            off += is > wanted ? is - wanted : wanted - is;
        }
        if (off < least) {
            least = off;
            found = number;
        }
    }
    *error = least;
    return found;
}

/* Reads from a run on, forwards or backwards; returns whether the last digit fits. */
static int decode(const int *runs, int step, char *number) {
    const int *at = runs + 3 * step;
    int pattern = 0, sum = 0, odd, even;
    for (int i = 0; i < 6; i++, at += 4 * step) {
        int as_odd = digit(at, step, 0, &odd), as_even = digit(at, step, 1, &even);
        if (as_odd < 0 || (odd > FARTHEST && even > FARTHEST))
            return 0;
        pattern = pattern << 1 | (even < odd);
        number[1 + i] = (char)('0' + (even < odd ? as_even : as_odd));
    }
    at += 5 * step;
    for (int i = 0; i < 6; i++, at += 4 * step) {
        int as_odd = digit(at, step, 0, &odd);
        if (as_odd < 0 || odd > FARTHEST)
            return 0;
        number[7 + i] = (char)('0' + as_odd);
    }
    for (int first = 0; first < 10; first++)
        if (parities[first] == pattern)
            number[0] = (char)('0' + first);
    if (!number[0])
        return 0;
    for (int i = 0; i < DIGITS; i++)
        sum += (number[i] - '0') * (i % 2 ? 3 : 1);
    return sum % 10 == 0;
}

static int read_line(const uint8_t *line, char *number) {
    int runs[MOST_RUNS], count = find_runs(line, runs);
    for (int at = 1; at + BARS <= count; at += 2) {
        for (int backwards = 0; backwards < 2; backwards++) {
            memset(number, 0, DIGITS);
            const int *from = backwards ? &runs[at + BARS - 1] : &runs[at];
            if (decode(from, backwards ? -1 : 1, number))
                return 1;
        }
    }
    return 0;
}

static void reader(void *unused) {
    (void)unused;
    for (unsigned number = 0;; number++) {
        char found[DIGITS] = {0};
        ulTaskNotifyTake(pdFALSE, portMAX_DELAY);
        if (ended && number == lines)
            break;
        int good = read_line(ring[number % RING], found);
        xTaskNotifyGive(camera_task);
        xMessageBufferSend(numbers, found, good ? DIGITS : 1, portMAX_DELAY);
    }
    xMessageBufferSend(numbers, "end", 3, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void till(void *unused) {
    static struct {
        char number[DIGITS + 1];
        unsigned count;
    } goods[MOST_GOODS];
    char number[DIGITS + 1];
    unsigned kinds = 0, unread = 0, total = 0;
    size_t size;
    (void)unused;
    while ((size = xMessageBufferReceive(numbers, number, DIGITS, portMAX_DELAY)) != 3) {
        unsigned at = 0;
        if (size != DIGITS) {
            unread += size != 0;
            continue;
        }
        number[DIGITS] = 0;
        while (at < kinds && strcmp(goods[at].number, number) != 0)
            at++;
        if (at == kinds && kinds < MOST_GOODS)
            strcpy(goods[kinds++].number, number);
        goods[at].count++;
        total++;
    }
    for (unsigned i = 0; i < kinds; i++)
        fprintf(output, "%s %u\n", goods[i].number, goods[i].count);
    printf("%u read, %u unread, %u kinds\n", total, unread, kinds);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    input = fopen(argv[1], "rb");
    output = fopen(argv[2], "w");
    numbers = xMessageBufferCreate(128);
    if (!input || !output || !numbers)
        return 1;
    xTaskCreate(camera, "camera", STACK_WORDS, NULL, 2, &camera_task);
    xTaskCreate(reader, "reader", STACK_WORDS, NULL, 1, &reader_task);
    xTaskCreate(till, "till", STACK_WORDS, NULL, 2, NULL);
    for (int i = 0; i < RING; i++)
        xTaskNotifyGive(camera_task);
    vTaskStartScheduler();
    return 1;
}
