/* Two tasks of one priority give way to each other by the kernel's trap: yields ROUNDS */
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "semphr.h"
#include "task.h"

static SemaphoreHandle_t done;
static int rounds;
static unsigned sums[2];

static void work(void *argument) {
    unsigned *sum = argument;
    for (int i = 0; i < rounds; i++) {
        for (int k = 0; k < 20; k++)
            *sum = *sum * 31 + (unsigned)k;
        taskYIELD();
        *sum ^= (unsigned)i;
    }
    xSemaphoreGive(done);
    vTaskDelete(NULL);
}

static void finish(void *unused) {
    (void)unused;
    for (int i = 0; i < 2; i++)
        xSemaphoreTake(done, portMAX_DELAY);
    printf("%u %u\n", sums[0], sums[1]);
    exit(0);
}

int main(int argc, char **argv) {
    rounds = argc > 1 ? atoi(argv[1]) : 50;
    done = xSemaphoreCreateCounting(2, 0);
    for (int i = 0; i < 2; i++)
        xTaskCreate(work, "work", 512, &sums[i], 2, NULL);
    xTaskCreate(finish, "finish", 1024, NULL, 1, NULL);
    vTaskStartScheduler();
    return 1;
}
