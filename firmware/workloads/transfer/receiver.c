/* The application: takes packets, keeps the file, answers. */
#include <string.h>

#include "transfer.h"

uint8_t file_content[FILE_CAPACITY + FRAME_MOST_BODY + FRAME_CHECK];
volatile uint32_t file_length, packets_taken, packets_broken;

static uint8_t expected;

static void answer(uint8_t kind, uint8_t sequence) {
    const uint8_t header[FRAME_HEADER] = {kind, sequence};
    line_send(header);
}

/* A body that was decoded into the file is there already. */
static void keep(const uint8_t *body, size_t length) {
    uint8_t *to = file_content + file_length;
    if (file_length + length > FILE_CAPACITY)
        return;
    if (body != to)
        memcpy(to, body, length);
    file_length += length;
}

/* A packet that was answered before is answered again, and not kept twice. */
void packet_came(const uint8_t header[FRAME_HEADER], const uint8_t *body, size_t length);
__attribute__((noinline)) void packet_came(const uint8_t header[FRAME_HEADER], const uint8_t *body,
                                           size_t length) {
    uint8_t kind = header[0], sequence = header[1];
    if (kind == PACKET_BEGIN) {
        file_length = 0;
        expected = sequence;
    }
    if (sequence == expected) {
        if (kind == PACKET_DATA)
            keep(body, length);
        packets_taken++;
        expected = (uint8_t)((sequence + 1) % SEQUENCES);
    }
    answer(PACKET_TAKEN, sequence);
}

static void packet_broken(void) {
    packets_broken++;
    answer(PACKET_AGAIN, expected);
}

#if RECEIVE == RECEIVE_FRAME
void transfer_run(void) {
    line_open();
    for (;;) {
        const uint8_t *frame;
        size_t length = line_receive(&frame);
        if (length == 0)
            packet_broken();
        else
            packet_came(frame, frame + FRAME_HEADER, length - FRAME_HEADER);
        line_release();
    }
}
#else
static uint8_t packet[FRAME_MOST_BODY + FRAME_CHECK];

/* Where the next body is decoded to. */
static uint8_t *place(void) {
    return LAYERS == LAYERS_DIRECT ? file_content + file_length : packet;
}

static void take(struct frame_decoder *decoder, uint8_t octet) {
    switch (frame_take(decoder, octet)) {
    case FRAME_WHOLE:
        packet_came(decoder->header, decoder->body, decoder->length - FRAME_HEADER);
        decoder->body = place();
        break;
    case FRAME_BROKEN:
        packet_broken();
        break;
    default:
        break;
    }
}

void transfer_run(void) {
    struct frame_decoder decoder = {.body = place()};
    line_open();
    for (;;) {
        const uint8_t *octets;
        size_t length = line_receive(&octets);
        for (size_t n = 0; n < length; n++)
            take(&decoder, octets[n]);
        line_release();
    }
}
#endif
