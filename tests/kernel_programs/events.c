/* Event groups: tasks wait for bits, all of them or any. */
#include <stdint.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "task.h"

enum { ROUNDS = 150, BOTH = 3, ACKNOWLEDGED = 4, OTHER = 8 };

static EventGroupHandle_t group;
static uint32_t rounds_seen;

static void wait_both(void *unused) {
    for (;;) {
        xEventGroupWaitBits(group, BOTH, pdTRUE, pdTRUE, portMAX_DELAY);
        rounds_seen++;
        xEventGroupSetBits(group, ACKNOWLEDGED);
    }
}

static void wait_below(void *unused) {
    for (;;) {
        xEventGroupWaitBits(group, OTHER, pdTRUE, pdFALSE, portMAX_DELAY);
        rounds_seen += 3;
    }
}

static void set(void *unused) {
    for (int round = 0; round < ROUNDS; round++) {
        xEventGroupSetBits(group, 1);
        xEventGroupSetBits(group, 2);
        xEventGroupWaitBits(group, ACKNOWLEDGED, pdTRUE, pdTRUE, portMAX_DELAY);
        if (round % 3 == 0)
            xEventGroupSetBits(group, OTHER);
        xEventGroupClearBits(group, OTHER);
        if (xEventGroupGetBits(group) & OTHER)
            abort();
    }
    exit(rounds_seen & 0x7f);
}

int main(void) {
    group = xEventGroupCreate();
    xTaskCreate(wait_both, "both", 512, NULL, 3, NULL);
    xTaskCreate(wait_below, "below", 512, NULL, 1, NULL);
    xTaskCreate(set, "set", 512, NULL, 2, NULL);
    vTaskStartScheduler();
}
