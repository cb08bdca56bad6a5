/* Frames on the wire: COBS, CRC-32, one request in, one answer out (docs/reference/wire.md). */
#include "wire.h"

#include <string.h>

#include "board.h"

enum { HEADER = 4, CRC = 4, MAX_CONTENT = HEADER + WIRE_MAX_BODY + CRC };

static uint8_t received[MAX_CONTENT + 1];

static uint8_t answer[MAX_CONTENT];
static size_t answer_length;

static uint32_t crc32(const uint8_t *data, size_t length) {
    uint32_t crc = 0xFFFFFFFFu;
    while (length-- > 0) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ (0xEDB88320u & -(crc & 1u));
    }
    return ~crc;
}

/* Decodes COBS in place; 0 if it is none. */
static size_t decode(uint8_t *data, size_t length) {
    size_t from = 0, to = 0;
    while (from < length) {
        size_t end = from + data[from];
        if (end > length)
            return 0;
        for (from++; from < end; from++)
            data[to++] = data[from];
        if (end < length)
            data[to++] = 0;
    }
    return to;
}

/* Collects the bytes up to the next zero; 0 if there are none or too many. */
static size_t collect(void) {
    size_t length = 0;
    uint8_t byte;
    do {
        while (!board_receive(&byte))
            ;
        if (length < sizeof received)
            received[length] = byte;
        length++;
    } while (byte != 0);
    length--;
    return length <= sizeof received ? length : 0;
}

void wire_receive(struct wire_request *request) {
    size_t length;
    do {
        length = decode(received, collect());
    } while (length < HEADER + CRC ||
             crc32(received, length - CRC) != wire_get32(received + length - CRC));
    request->version = received[0];
    request->kind = received[1];
    request->sequence = wire_get16(received + 2);
    request->body = received + HEADER;
    request->length = length - HEADER - CRC;
}

void wire_begin(uint8_t kind, uint16_t sequence) {
    answer_length = 0;
    wire_put8(WIRE_VERSION);
    wire_put8(kind);
    wire_put16(sequence);
}

void wire_put8(uint8_t value) {
    if (answer_length < HEADER + WIRE_MAX_BODY)
        answer[answer_length++] = value;
}

void wire_put16(uint16_t value) {
    wire_put8((uint8_t)value);
    wire_put8((uint8_t)(value >> 8));
}

void wire_put32(uint32_t value) {
    wire_put16((uint16_t)value);
    wire_put16((uint16_t)(value >> 16));
}

void wire_put_bytes(const void *data, size_t length) {
    for (const uint8_t *byte = data; length > 0; length--)
        wire_put8(*byte++);
}

void wire_put_string(const char *text) {
    size_t length = text == NULL ? 0 : strlen(text);
    wire_put8((uint8_t)length);
    wire_put_bytes(text, length);
}

#ifdef __MEMX
void wire_put_constant(CONSTANT char *text) {
    size_t length = 0;
    while (text[length] != 0)
        length++;
    wire_put8((uint8_t)length);
    while (length-- > 0)
        wire_put8((uint8_t)*text++);
}
#endif

void wire_finish(void) {
    uint32_t crc = crc32(answer, answer_length);
    for (int byte = 0; byte < CRC; byte++)
        answer[answer_length++] = (uint8_t)(crc >> (8 * byte));
    wire_send();
}

void wire_send(void) {
    board_send(0);
    for (size_t run = 0; run <= answer_length;) {
        size_t end = run;
        while (end < answer_length && answer[end] != 0)
            end++;
        board_send((uint8_t)(end - run + 1));
        for (; run < end; run++)
            board_send(answer[run]);
        run = end + 1;
    }
    board_send(0);
}

uint16_t wire_get16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

uint32_t wire_get32(const uint8_t *at) {
    return wire_get16(at) | (uint32_t)wire_get16(at + 2) << 16;
}

void wire_fault(enum wire_fault cause, uint32_t address, const char *text) {
    wire_begin(WIRE_FAULT, 0);
    wire_put8((uint8_t)cause);
    wire_put32(address);
    wire_put_string(text);
    wire_finish();
    for (;;)
        board_sleep();
}
