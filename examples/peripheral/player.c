#include "player.h"

#include "FreeRTOS.h"
#include "task.h"

#include "interrupts.h"
#include "variant.h"

/* Registers; player.py explains each. */
#define PLAYER ((struct player_registers *)0xE0070000)
struct player_registers {
    volatile uint32_t control, status, data, period, trigger, length, crc;
};
enum { PLAY = 1, INTERRUPT_ON_SPACE = 2, INTERRUPT_WHEN_DONE = 4 };
enum { STATUS_LEVEL = 0xFF, STATUS_UNDERRUNS = 16 };
enum { DEPTH = 16, START_LEVEL = DEPTH / 2 };

static TaskHandle_t waiting;
static uint32_t play;

void player_start(uint32_t length, uint32_t period) {
    PLAYER->length = length;
    PLAYER->period = period;
    PLAYER->trigger = DEPTH - BLOCK_BYTES; /* then a block fits */
    attach_interrupt(2, PLAYER_SOURCE, player_entered);
}

static void wait_for(uint32_t interrupt) {
    waiting = xTaskGetCurrentTaskHandle();
    PLAYER->control = play | interrupt;
    ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

void player_write(const uint8_t *samples, size_t count) {
    while (count > 0) {
        size_t block = count < BLOCK_BYTES ? count : BLOCK_BYTES;
        wait_for(INTERRUPT_ON_SPACE);
        for (size_t i = 0; i < block; i++)
            PLAYER->data = *samples++;
        count -= block;
        if (!play && (PLAYER->status & STATUS_LEVEL) >= START_LEVEL)
            PLAYER->control = play = PLAY;
    }
}

void player_finish(void) {
    PLAYER->control = play = PLAY; /* a short message did not reach START_LEVEL */
    wait_for(INTERRUPT_WHEN_DONE);
}

uint16_t player_crc(void) {
    return (uint16_t)PLAYER->crc;
}

uint32_t player_underruns(void) {
    return PLAYER->status >> STATUS_UNDERRUNS;
}

/* One interrupt for each wait: it withdraws what it was asked for. */
void player_interrupt(void) {
    BaseType_t woken = pdFALSE;
    PLAYER->control = play;
    vTaskNotifyGiveFromISR(waiting, &woken);
    end_interrupt(woken);
}
