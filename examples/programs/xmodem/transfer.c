/* Sends a file by XMODEM with CRC over a line that damages packets: a task on either side, stream
 * buffers between them. Under FreeRTOS.   transfer INPUT OUTPUT SEED */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "FreeRTOS.h"
#include "stream_buffer.h"
#include "task.h"

#define SOH 0x01
#define EOT 0x04
#define ACK 0x06
#define NAK 0x15
#define PAD 0x1A
#define DATA 128
#define PACKET (3 + DATA + 2)
#define STACK_WORDS 1024

static StreamBufferHandle_t line_out, line_back;
static FILE *input, *output;
static uint32_t seed;
static struct { unsigned packets, damaged, refused, repeated; } count;

static uint32_t draw(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 16;
}

static uint16_t crc16(const uint8_t *data, size_t size) {
    uint16_t crc = 0;
    while (size--) {
        crc ^= (uint16_t)(*data++ << 8);
        for (int bit = 0; bit < 8; bit++)
            crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
    }
    return crc;
}

/* The line: one packet in eight has a wrong bit. */
static void put(const uint8_t *packet) {
    uint8_t wire[PACKET];
    memcpy(wire, packet, PACKET);
    if (draw() % 8 == 0) {
        uint32_t at = 1 + draw() % (PACKET - 1);
        wire[at] ^= (uint8_t)(1u << draw() % 8);
        count.damaged++;
    }
    for (size_t sent = 0; sent < PACKET;)
        sent += xStreamBufferSend(line_out, wire + sent, PACKET - sent, portMAX_DELAY);
}

static uint8_t answer(void) {
    uint8_t byte;
    while (xStreamBufferReceive(line_back, &byte, 1, portMAX_DELAY) != 1)
        continue;
    return byte;
}

static void sender(void *unused) {
    uint8_t packet[PACKET] = {SOH}, number = 1, end = EOT;
    size_t got;
    (void)unused;
    while ((got = fread(packet + 3, 1, DATA, input)) > 0) {
        memset(packet + 3 + got, PAD, DATA - got);
        packet[1] = number;
        packet[2] = (uint8_t)~number;
        uint16_t crc = crc16(packet + 3, DATA);
        packet[3 + DATA] = (uint8_t)(crc >> 8);
        packet[4 + DATA] = (uint8_t)crc;
        put(packet);
        while (answer() != ACK) {
            count.repeated++;
            put(packet);
        }
        number++;
    }
    xStreamBufferSend(line_out, &end, 1, portMAX_DELAY);
    vTaskDelete(NULL);
}

static void receive(uint8_t *to, size_t size) {
    for (size_t have = 0; have < size;)
        have += xStreamBufferReceive(line_out, to + have, size - have, portMAX_DELAY);
}

static void receiver(void *unused) {
    uint8_t packet[PACKET], expected = 1;
    (void)unused;
    for (;;) {
        receive(packet, 1);
        if (packet[0] == EOT)
            break;
        receive(packet + 1, PACKET - 1);
        count.packets++;
        uint16_t crc = (uint16_t)(packet[3 + DATA] << 8 | packet[4 + DATA]);
        uint8_t reply = ACK;
        if ((packet[1] ^ packet[2]) != 0xFF || packet[1] != expected ||
            crc16(packet + 3, DATA) != crc) {
            reply = NAK;
            count.refused++;
        } else {
            fwrite(packet + 3, 1, DATA, output);
            expected++;
        }
        xStreamBufferSend(line_back, &reply, 1, portMAX_DELAY);
    }
    printf("%u packets, %u damaged, %u refused, %u repeated\n", count.packets, count.damaged,
           count.refused, count.repeated);
    fclose(input);
    exit(fclose(output) != 0);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    input = fopen(argv[1], "rb");
    output = fopen(argv[2], "wb");
    seed = (uint32_t)strtoul(argv[3], NULL, 10);
    line_out = xStreamBufferCreate(64, 1);
    line_back = xStreamBufferCreate(8, 1);
    if (!input || !output || !line_out || !line_back)
        return 1;
    xTaskCreate(sender, "sender", STACK_WORDS, NULL, 2, NULL);
    xTaskCreate(receiver, "receiver", STACK_WORDS, NULL, 2, NULL);
    vTaskStartScheduler();
    return 1;
}
