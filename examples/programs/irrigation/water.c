/* Waters the zones of a garden: each has a software timer, at which its flow meter and its soil are
 * read, until it has had enough. Under FreeRTOS.   water ZONES SEED OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "FreeRTOS.h"
#include "event_groups.h"
#include "queue.h"
#include "task.h"
#include "timers.h"

#define ZONES 8
#define TAPS 32
#define STACK_WORDS 1024
#define ALARM_Q8 (250 * 256)

typedef enum { CLOSED, OPENING, WATERING, SOAKING, DONE } valve_t;

typedef struct {
    valve_t valve;
    TimerHandle_t timer;
    uint32_t seed;
    int32_t taps[TAPS];
    int32_t wetness_q8, wanted_q8, used_ml;
    unsigned readings, waits, alarms, at;
} zone_t;

typedef struct {
    uint8_t zone, valve;
    int32_t wetness_q8;
} event_t;

static zone_t zones[ZONES];
static QueueHandle_t events;
static EventGroupHandle_t done;
static int zone_count;
static FILE *output;

static uint32_t draw(zone_t *zone) {
    zone->seed = zone->seed * 1103515245u + 12345u;
    return zone->seed >> 16 & 0x7FFF;
}

/* The soil's sensor is noisy: the mean of its readings without the highest and the lowest. */
static int32_t filtered(zone_t *zone) {
    int64_t sum = 0;
    int32_t low = INT32_MAX, high = INT32_MIN;
    for (int i = 0; i < TAPS; i++) {
        int32_t tap = zone->taps[i];
        sum += tap;
        if (tap < low)
            low = tap;
        if (tap > high)
            high = tap;
    }
    return (int32_t)((sum - low - high) / (TAPS - 2));
}

static void change(zone_t *zone, valve_t valve) {
    event_t event = {(uint8_t)(zone - zones), (uint8_t)valve, zone->wetness_q8};
    zone->valve = valve;
    zone->waits = 0;
    xQueueSend(events, &event, portMAX_DELAY);
}

static void on_timer(TimerHandle_t timer) {
    zone_t *zone = pvTimerGetTimerID(timer);
    for (int i = 0; i < TAPS; i++) {
        int32_t noise = (int32_t)(draw(zone) % 1024) - 512;
        zone->taps[zone->at++ % TAPS] = zone->wetness_q8 + noise;
    }
    int32_t wetness_q8 = filtered(zone);
    zone->readings++;
    switch (zone->valve) {
    case CLOSED:
        if (wetness_q8 < zone->wanted_q8)
            change(zone, OPENING);
        else
            zone->wetness_q8 -= 40;
        break;
    case OPENING:
        if (++zone->waits == 2)
            change(zone, WATERING);
        break;
    case WATERING: {
        int32_t flow_ml = 180 + (int32_t)(draw(zone) % 60);
        zone->used_ml += flow_ml;
        zone->wetness_q8 += flow_ml * 3 / 2;
        if (zone->wetness_q8 > ALARM_Q8) {
            zone->alarms++;
            change(zone, SOAKING);
        } else if (wetness_q8 > zone->wanted_q8 + 4096 || ++zone->waits == 12) {
            change(zone, SOAKING);
        }
        break;
    }
    case SOAKING:
        zone->wetness_q8 -= 60;
        if (++zone->waits == 3)
            change(zone, wetness_q8 > zone->wanted_q8 + 2048 ? DONE : OPENING);
        break;
    default:
        xTimerStop(timer, 0);
        xEventGroupSetBits(done, 1u << (zone - zones));
    }
}

static void keeper(void *unused) {
    event_t event;
    unsigned changes[DONE + 1] = {0};
    (void)unused;
    for (int open = zone_count; open > 0;) {
        xQueueReceive(events, &event, portMAX_DELAY);
        changes[event.valve]++;
        if (event.valve == DONE)
            open--;
    }
    xEventGroupWaitBits(done, (1u << zone_count) - 1, pdTRUE, pdTRUE, portMAX_DELAY);
    for (int i = 0; i < zone_count; i++) {
        zone_t *zone = &zones[i];
        fprintf(output, "zone %d: %ld ml, %u readings, at %ld.%02ld of %ld, %u alarms\n", i,
                (long)zone->used_ml, zone->readings, (long)(zone->wetness_q8 / 256),
                (long)(zone->wetness_q8 % 256 * 100 / 256), (long)(zone->wanted_q8 / 256),
                zone->alarms);
    }
    printf("opened %u times, watered %u times, soaked %u times\n", changes[OPENING],
           changes[WATERING], changes[SOAKING]);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    zone_count = atoi(argv[1]);
    output = fopen(argv[3], "w");
    events = xQueueCreate(4, sizeof(event_t));
    done = xEventGroupCreate();
    if (zone_count < 1 || zone_count > ZONES || !output || !events || !done)
        return 1;
    for (int i = 0; i < zone_count; i++) {
        zone_t *zone = &zones[i];
        zone->seed = (uint32_t)atoi(argv[2]) + 77u * (uint32_t)i;
        zone->wetness_q8 = (60 + (int32_t)(draw(zone) % 40)) * 256;
        zone->wanted_q8 = (70 + 9 * i) * 256;
        zone->timer = xTimerCreate("zone", pdMS_TO_TICKS(2 + i % 3), pdTRUE, zone, on_timer);
        if (!zone->timer || xTimerStart(zone->timer, 0) != pdPASS)
            return 1;
    }
    xTaskCreate(keeper, "keeper", STACK_WORDS, NULL, 2, NULL);
    vTaskStartScheduler();
    return 1;
}
