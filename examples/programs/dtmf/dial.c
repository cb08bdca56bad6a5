/* A telephone's keypad, heard: one task plays samples in blocks, one measures eight tones in each
 * block by Goertzel, and one decides which key is pressed. Under FreeRTOS.   dial DIGITS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "task.h"

#define BLOCK 105
#define STACK_WORDS 1024
#define ENDED 0x100u

/* 2 cos(2 pi f / 8000) in Q14 for 697, 770, 852, 941, 1209, 1336, 1477 and 1633 Hz. */
static const int16_t COEFFICIENT[8] = {27980, 26956, 25701, 24219, 19073, 16325, 13085, 9315};
static const char KEYS[4][5] = {"123A", "456B", "789C", "*0#D"};

typedef struct {
    int16_t sample[BLOCK];
    uint8_t last;
} block_t;

static QueueHandle_t blocks, strengths;
static EventGroupHandle_t done;
static const char *digits;
static FILE *output;
static uint32_t noise = 12345;

/* A tone by its recurrence, in the same coefficients. */
typedef struct {
    int32_t one, two;
    int16_t coefficient;
} tone_t;

static void start(tone_t *tone, int which) {
    tone->coefficient = COEFFICIENT[which];
    tone->one = 0;
    tone->two = -3000;
}

static int32_t next(tone_t *tone) {
    int32_t now = (int32_t)(((int64_t)tone->coefficient * tone->one) >> 14) - tone->two;
    if (now > 9000)
        now = 9000;
    if (now < -9000)
        now = -9000;
    tone->two = tone->one;
    tone->one = now;
    return now;
}

static int find(char key, int *row, int *column) {
    for (*row = 0; *row < 4; ++*row) {
        const char *at = strchr(KEYS[*row], key);
        if (at && key) {
            *column = (int)(at - KEYS[*row]);
            return 0;
        }
    }
    return -1;
}

static void player(void *unused) {
    static block_t block;
    int row, column;
    (void)unused;
    for (const char *at = digits; *at; at++) {
        tone_t low, high;
        if (find(*at, &row, &column))
            continue;
        start(&low, row);
        start(&high, 4 + column);
        for (int part = 0; part < 6; part++) {
            for (int i = 0; i < BLOCK; i++) {
                noise = noise * 1664525u + 1013904223u;
                int32_t value = (int32_t)(noise >> 22) - 512;
                if (part < 4)
                    value += next(&low) + next(&high);
                block.sample[i] = (int16_t)value;
            }
            block.last = at[1] == 0 && part == 5;
            xQueueSend(blocks, &block, portMAX_DELAY);
        }
    }
    vTaskDelete(NULL);
}

static uint32_t goertzel(const int16_t *sample, int32_t coefficient) {
    int32_t one = 0, two = 0;
    for (int i = 0; i < BLOCK; i++) {
        int32_t now = (sample[i] >> 4) + ((coefficient * (one >> 2)) >> 12) - two;
        two = one;
        one = now;
    }
    one >>= 4;
    two >>= 4;
    return (uint32_t)(one * one + two * two - ((coefficient * (one >> 2)) >> 12) * two);
}

static void meter(void *unused) {
    static block_t block;
    uint32_t strength[9];
    (void)unused;
    do {
        xQueueReceive(blocks, &block, portMAX_DELAY);
        for (int i = 0; i < 8; i++)
            strength[i] = goertzel(block.sample, COEFFICIENT[i]);
        strength[8] = block.last;
        xQueueSend(strengths, strength, portMAX_DELAY);
    } while (!block.last);
    xEventGroupSetBits(done, 1);
    vTaskDelete(NULL);
}

static int strongest(const uint32_t *strength) {
    int best = 0;
    uint32_t rest = 0;
    for (int i = 1; i < 4; i++)
        if (strength[i] > strength[best])
            best = i;
    for (int i = 0; i < 4; i++)
        if (i != best)
            rest += strength[i] >> 2;
    return strength[best] > 20000 && strength[best] / 2 > rest ? best : -1;
}

static void decider(void *unused) {
    uint32_t strength[9];
    char held = 0, before = 0;
    int heard = 0;
    (void)unused;
    do {
        xQueueReceive(strengths, strength, portMAX_DELAY);
        int row = strongest(strength), column = strongest(strength + 4);
        char now = row >= 0 && column >= 0 ? KEYS[row][column] : 0;
        if (now && now == before && !held) {
            held = now;
            fprintf(output, "%c%s", now, ++heard % 16 ? "" : "\n");
        } else if (!now && !before) {
            held = 0;
        }
        before = now;
    } while (!strength[8]);
    printf("%d keys\n", heard);
    xEventGroupSetBits(done, 2);
    vTaskDelete(NULL);
}

static void closer(void *unused) {
    (void)unused;
    xEventGroupWaitBits(done, 3, pdTRUE, pdTRUE, portMAX_DELAY);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 3 || !(output = fopen(argv[2], "w")))
        return 2;
    digits = argv[1];
    blocks = xQueueCreate(3, sizeof(block_t));
    strengths = xQueueCreate(4, 9 * sizeof(uint32_t));
    done = xEventGroupCreate();
    xTaskCreate(player, "player", STACK_WORDS, NULL, 1, NULL);
    xTaskCreate(meter, "meter", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(decider, "decider", STACK_WORDS, NULL, 3, NULL);
    xTaskCreate(closer, "closer", STACK_WORDS, NULL, 4, NULL);
    vTaskStartScheduler();
    return 1;
}
