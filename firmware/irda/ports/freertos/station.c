/* A station: the stack in one task, which sleeps until the line or the clock wakes it. */
#include "station.h"

#include <string.h>

#include "FreeRTOS.h"
#include "task.h"

#include "board.h"
#include "exchange.h"
#include "irda.h"
#include "line.h"

enum { STACK_WORDS = 1024, PRIORITY = 2, CREDITS = 14 };

/* Changed in the image, before the reset. */
const volatile struct station_setting station_setting
    __attribute__((section(".rodata.station"))) = {
        .seed = 1,
        .file_octets = 1000,
        .file_seed = 1,
        .speeds = 0x3E,
        .windows = 0x7F,
        .data_sizes = 0x0F,
        .min_turnaround = 0x01,
        .lends = 0,
        .buffer_octets = LINE_BUFFER_OCTETS,
        .time_out_bits = 32,
};
const volatile uint8_t station_content[STATION_FILE_OCTETS]
    __attribute__((section(".rodata.station"))) = {0};
volatile struct station_outcome station_outcome;
uint8_t station_file[STATION_FILE_OCTETS];

static struct irda irda;
static uint32_t random_state;
static size_t file_at, file_octets;

static uint32_t now_us(void *context) {
    return line_now_us();
}

/* Marsaglia's xorshift. */
static uint32_t random_bits(void *context) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void set_speed(void *context, uint32_t bits_per_second) {
    line_set_speed(bits_per_second);
}

static size_t read_file(void *context, uint8_t *octets, size_t capacity) {
    size_t count = file_octets - file_at;
    if (count > capacity)
        count = capacity;
    memcpy(octets, station_file + file_at, count);
    file_at += count;
    return count;
}

static bool begin_file(void *context, const char *name, uint32_t octets) {
    file_at = 0;
    return octets <= STATION_FILE_OCTETS;
}

static bool write_file(void *context, const uint8_t *octets, size_t count) {
    if (count > STATION_FILE_OCTETS - file_at)
        return false;
    memcpy(station_file + file_at, octets, count);
    file_at += count;
    return true;
}

__attribute__((noinline)) void station_transfer_ended(void) {
    __asm volatile("" ::: "memory");
}

static void ended(void *context, enum send_result result) {
    station_outcome.ended++;
    station_outcome.result = result;
    station_outcome.file_octets = file_at;
    station_transfer_ended();
}

static void fill_file(void) {
    uint32_t state = station_setting.file_seed;
    if (state == 0) {
        for (size_t at = 0; at < file_octets; at++)
            station_file[at] = station_content[at];
        return;
    }
    for (size_t at = 0; at < file_octets; at++) {
        state = state * 1664525 + 1013904223;
        station_file[at] = (uint8_t)(state >> 24);
    }
}

static void serve(void *unused) {
    static const struct irda_port port = {
        .now_us = now_us,
        .random = random_bits,
        .start_sending = exchange_start_sending,
        .set_speed = set_speed,
    };
    static const struct send_calls calls = {
        .read = read_file,
        .begin = begin_file,
        .write = write_file,
        .ended = ended,
    };
    const struct irda_config config = {
        .name = station_setting.sends ? "sender" : "receiver",
        .credits = CREDITS,
        .abilities =
            {
                .speeds = (uint8_t)station_setting.speeds,
                .max_turnaround = 0x01,
                .data_sizes = (uint8_t)station_setting.data_sizes,
                .windows = (uint8_t)station_setting.windows,
                .extra_bofs = 0x04,
                .min_turnaround = (uint8_t)station_setting.min_turnaround,
                .disconnect = 0xFF,
            },
    };
    random_state = station_setting.seed * 2654435761u + 1;
    line_start(xTaskGetCurrentTaskHandle(), station_setting.buffer_octets,
               station_setting.time_out_bits);
    irda_init(&irda, &port, &calls, &config);
    if (station_setting.sends) {
        file_octets = station_setting.file_octets;
        fill_file();
        send_file(&irda.send, "content", file_octets, 10);
    } else {
        send_receive(&irda.send);
    }
    for (;;) {
        uint32_t at_us;
        exchange_receive(&irda, station_setting.lends);
        irda_run(&irda);
        exchange_send(&irda);
        if (!irda_deadline(&irda, &at_us))
            at_us = line_now_us() + 100000;
        line_wait(at_us);
    }
}

void vApplicationIdleHook(void) {
    board_sleep();
}

int main(void) {
    board_start();
    xTaskCreate(serve, "irda", STACK_WORDS, NULL, PRIORITY, NULL);
    vTaskStartScheduler();
    for (;;)
        ;
}
