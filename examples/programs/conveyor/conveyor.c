/* A conveyor sorts parcels. A scanner puts them on a queue, and two arms take those that are theirs
 * from queues of their own. A chute that is full holds an arm back until it is emptied. Under
 * FreeRTOS.   conveyor PARCELS SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "queue.h"
#include "semphr.h"
#include "task.h"

#define CHUTES 5
#define ROOM 6
#define STACK_WORDS 1024

typedef struct {
    uint16_t number;
    unsigned chute : 4, fragile : 1, express : 1;
    uint16_t grams;
} parcel_t;

typedef struct {
    SemaphoreHandle_t room;
    unsigned parcels, fragile, emptied;
    unsigned long grams;
} chute_t;

typedef struct {
    QueueHandle_t parcels;
    unsigned moved, held;
} arm_t;

static chute_t chutes[CHUTES];
static arm_t arms[2];
static QueueHandle_t belt;
static SemaphoreHandle_t full, done;
static int wanted;
static uint32_t seed;
static FILE *output;

static uint32_t draw(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % below;
}

static void scan(void *unused) {
    (void)unused;
    for (int i = 0; i < wanted; i++) {
        parcel_t parcel = {.number = (uint16_t)i};
        parcel.chute = draw(CHUTES);
        parcel.fragile = draw(6) == 0;
        parcel.express = draw(8) == 0;
        parcel.grams = (uint16_t)(100 + draw(9000));
        if (parcel.express)
            xQueueSendToFront(belt, &parcel, portMAX_DELAY);
        else
            xQueueSendToBack(belt, &parcel, portMAX_DELAY);
        if (draw(4) == 0)
            taskYIELD();
    }
    vTaskDelete(NULL);
}

static void route(void *unused) {
    parcel_t parcel;
    (void)unused;
    for (int i = 0; i < wanted; i++) {
        xQueueReceive(belt, &parcel, portMAX_DELAY);
        xQueueSend(arms[parcel.chute & 1].parcels, &parcel, portMAX_DELAY);
    }
    parcel.number = UINT16_MAX;
    for (int i = 0; i < 2; i++)
        xQueueSend(arms[i].parcels, &parcel, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void move(void *given) {
    arm_t *arm = given;
    parcel_t parcel;
    while (xQueueReceive(arm->parcels, &parcel, portMAX_DELAY) && parcel.number != UINT16_MAX) {
        chute_t *chute = &chutes[parcel.chute];
        while (!xSemaphoreTake(chute->room, 0)) {
            arm->held++;
            xSemaphoreGive(full);
            xSemaphoreTake(chute->room, portMAX_DELAY);
            xSemaphoreGive(chute->room);
        }
        chute->parcels++;
        chute->fragile += parcel.fragile;
        chute->grams += parcel.grams;
        arm->moved++;
        fprintf(output, "%u to %u, %u g%s%s\n", parcel.number, (unsigned)parcel.chute,
                (unsigned)parcel.grams, parcel.fragile ? ", fragile" : "",
                parcel.express ? ", express" : "");
    }
    xSemaphoreGive(done);
    vTaskDelete(NULL);
}

/* Empties every chute when one is full. */
static void empty(void *unused) {
    (void)unused;
    for (;;) {
        xSemaphoreTake(full, portMAX_DELAY);
        for (int i = 0; i < CHUTES; i++) {
            if (uxSemaphoreGetCount(chutes[i].room) == 0)
                chutes[i].emptied++;
            while (uxSemaphoreGetCount(chutes[i].room) < ROOM)
                xSemaphoreGive(chutes[i].room);
        }
    }
}

static void report(void *unused) {
    (void)unused;
    xSemaphoreTake(done, portMAX_DELAY);
    xSemaphoreTake(done, portMAX_DELAY);
    for (int i = 0; i < CHUTES; i++)
        printf("chute %d: %u parcels, %u fragile, %lu g\n", i, chutes[i].parcels, chutes[i].fragile,
               chutes[i].grams);
    printf("arms: %u and %u, chutes full: %s\n", arms[0].moved, arms[1].moved,
           arms[0].held + arms[1].held ? "yes" : "no");
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    wanted = atoi(argv[1]);
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    output = fopen(argv[3], "w");
    belt = xQueueCreate(8, sizeof(parcel_t));
    full = xSemaphoreCreateBinary();
    done = xSemaphoreCreateCounting(2, 0);
    if (!output || !belt || !full || !done)
        return 1;
    for (int i = 0; i < CHUTES; i++)
        chutes[i].room = xSemaphoreCreateCounting(ROOM, ROOM);
    for (int i = 0; i < 2; i++) {
        arms[i].parcels = xQueueCreate(4, sizeof(parcel_t));
        xTaskCreate(move, "arm", STACK_WORDS, &arms[i], 3 + (UBaseType_t)i, NULL);
    }
    xTaskCreate(scan, "scan", STACK_WORDS, NULL, 1, NULL);
    xTaskCreate(route, "route", STACK_WORDS, NULL, 5, NULL);
    xTaskCreate(empty, "empty", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(report, "report", STACK_WORDS, NULL, 6, NULL);
    vTaskStartScheduler();
    return 1;
}
