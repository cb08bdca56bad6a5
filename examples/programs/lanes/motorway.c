/* Cars on a motorway of four pieces, each a task. All meet after every second, hand over the cars
 * that left their piece, and a task counts. Under FreeRTOS.
 * motorway CARS SECONDS SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "task.h"

#define PIECES 4
#define CELLS 60
#define FASTEST 5
#define STACK_WORDS 1024
#define ALL ((1u << PIECES) - 1)
#define NONE (-1)

typedef struct {
    int16_t number;
    uint8_t cell, speed;
} car_t;

typedef struct {
    int16_t cars[CELLS];
    uint8_t speeds[CELLS];
    uint32_t seed;
    QueueHandle_t arriving;
    int index, moved, braked;
} piece_t;

static piece_t pieces[PIECES];
static int free_cells[PIECES];
static EventGroupHandle_t looked, left_piece, arrived;
static TaskHandle_t counter;
static int seconds, total;
static FILE *output;

static uint32_t draw(piece_t *piece) {
    piece->seed = piece->seed * 1103515245u + 12345u;
    return piece->seed >> 16 & 0x7FFF;
}

static int ahead(const piece_t *piece, int from) {
    int cell = from + 1;
    while (cell < CELLS && piece->cars[cell] == NONE)
        cell++;
    int gap = cell - from - 1;
    return cell == CELLS ? gap + free_cells[(piece->index + 1) % PIECES] : gap;
}

static void drive(piece_t *piece) {
    piece_t *next = &pieces[(piece->index + 1) % PIECES];
    for (int cell = CELLS - 1; cell >= 0; cell--) {
        if (piece->cars[cell] == NONE)
            continue;
        int speed = piece->speeds[cell], gap = ahead(piece, cell);
        if (speed < FASTEST)
            speed++;
        if (speed > gap) {
            speed = gap;
            piece->braked++;
        }
        if (speed > 0 && draw(piece) % 5 == 0)
            speed--;
        car_t car = {piece->cars[cell], (uint8_t)(cell + speed), (uint8_t)speed};
        piece->moved += speed;
        piece->cars[cell] = NONE;
        if (car.cell >= CELLS) {
            car.cell -= CELLS;
            free_cells[next->index] = car.cell;
            xQueueSend(next->arriving, &car, portMAX_DELAY);
        } else {
            piece->cars[car.cell] = car.number;
            piece->speeds[car.cell] = car.speed;
        }
    }
}

static void picture(int second) {
    char line[CELLS + 1];
    fprintf(output, "%4d ", second);
    for (int i = 0; i < PIECES; i++) {
        for (int cell = 0; cell < CELLS; cell++)
            line[cell] = pieces[i].cars[cell] == NONE ? '.' : (char)('0' + pieces[i].speeds[cell]);
        line[CELLS] = 0;
        fprintf(output, "%s%c", line, i == PIECES - 1 ? '\n' : ' ');
    }
}

static void run(void *given) {
    piece_t *piece = given;
    EventBits_t mine = 1u << piece->index;
    car_t car;
    for (int second = 0; second < seconds; second++) {
        int cell = 0;
        while (cell < CELLS && piece->cars[cell] == NONE)
            cell++;
        free_cells[piece->index] = cell;
        xEventGroupSync(looked, mine, ALL, portMAX_DELAY);
        drive(piece);
        xEventGroupSync(left_piece, mine, ALL, portMAX_DELAY);
        while (xQueueReceive(piece->arriving, &car, 0)) {
            piece->cars[car.cell] = car.number;
            piece->speeds[car.cell] = car.speed;
        }
        xEventGroupSync(arrived, mine, ALL, portMAX_DELAY);
        if (second % 10 == 9 && piece->index == 0)
            picture(second + 1);
        xEventGroupSync(looked, mine, ALL, portMAX_DELAY);
    }
    xTaskNotifyGive(counter);
    vTaskDelete(NULL);
}

static void finish(void) {
    int moved = 0, cars = 0;
    for (int i = 0; i < PIECES; i++) {
        int here = 0;
        for (int cell = 0; cell < CELLS; cell++)
            here += pieces[i].cars[cell] != NONE;
        printf("piece %d: %d cars, %d cells driven, braked %d times\n", i, here, pieces[i].moved,
               pieces[i].braked);
        moved += pieces[i].moved;
        cars += here;
    }
    printf("%d cars, %ld cells in 1,000 seconds\n", cars, 1000L * moved / total / seconds);
    exit(fclose(output) != 0);
}

static void count(void *unused) {
    (void)unused;
    for (unsigned ended = 0; ended < PIECES;)
        ended += ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
    finish();
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    total = atoi(argv[1]);
    seconds = atoi(argv[2]);
    uint32_t seed = (uint32_t)strtoul(argv[3], NULL, 10);
    output = fopen(argv[4], "w");
    looked = xEventGroupCreate();
    left_piece = xEventGroupCreate();
    arrived = xEventGroupCreate();
    if (!output || !looked || !left_piece || !arrived || total > PIECES * CELLS)
        return 1;
    for (int i = 0; i < PIECES; i++) {
        pieces[i].index = i;
        pieces[i].seed = seed + (uint32_t)i * 1000;
        pieces[i].arriving = xQueueCreate(FASTEST + 1, sizeof(car_t));
        for (int cell = 0; cell < CELLS; cell++)
            pieces[i].cars[cell] = NONE;
    }
    for (int i = 0; i < total; i++) {
        int place = i * PIECES * CELLS / total;
        pieces[place / CELLS].cars[place % CELLS] = (int16_t)i;
    }
    picture(0);
    xTaskCreate(count, "count", STACK_WORDS, NULL, 1, &counter);
    for (int i = 0; i < PIECES; i++)
        xTaskCreate(run, "piece", STACK_WORDS, &pieces[i], 2 + (UBaseType_t)(i & 1), NULL);
    vTaskStartScheduler();
    return 1;
}
