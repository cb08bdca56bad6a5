/* Tasks of FreeRTOS share the rows of a matrix product. One semaphore counts the rows that are
 * left, one those that are done, and a mutex guards the number of the next.
 *
 * workers INPUT OUTPUT: two square matrices of 16-bit integers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

enum { SIZE = 48, WORKERS = 3, STACK_WORDS = 2048 };

static int16_t a[SIZE][SIZE], b[SIZE][SIZE];
static int32_t product[SIZE][SIZE];
static SemaphoreHandle_t left, done, guard;
static int next_row;
static FILE *output;

static void work(void *unused) {
    (void)unused;
    while (xSemaphoreTake(left, 0) == pdTRUE) {
        xSemaphoreTake(guard, portMAX_DELAY);
        int row = next_row++;
        xSemaphoreGive(guard);
        for (int column = 0; column < SIZE; column++) {
            int32_t sum = 0;
            for (int k = 0; k < SIZE; k++)
                sum += a[row][k] * b[k][column] / 256;
            product[row][column] = sum;
        }
        xSemaphoreGive(done);
        taskYIELD();
    }
    vTaskDelete(NULL);
}

static void collect(void *unused) {
    (void)unused;
    for (int row = 0; row < SIZE; row++)
        xSemaphoreTake(done, portMAX_DELAY);
    int32_t trace = 0;
    for (int i = 0; i < SIZE; i++)
        trace += product[i][i] / SIZE;
    fwrite(product, sizeof product, 1, output);
    fclose(output);
    printf("trace %ld\n", (long)trace);
    exit(0);
}

int main(int argc, char **argv) {
    FILE *input;
    if (argc != 3 || (input = fopen(argv[1], "rb")) == NULL ||
        (output = fopen(argv[2], "wb")) == NULL || fread(a, sizeof a, 1, input) != 1 ||
        fread(b, sizeof b, 1, input) != 1)
        return 2;
    fclose(input);
    left = xSemaphoreCreateCounting(SIZE, SIZE);
    done = xSemaphoreCreateCounting(SIZE, 0);
    guard = xSemaphoreCreateMutex();
    xTaskCreate(collect, "collect", STACK_WORDS, NULL, 2, NULL);
    for (int i = 0; i < WORKERS; i++)
        xTaskCreate(work, "work", STACK_WORDS, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
