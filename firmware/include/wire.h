/* The target's side of the wire (docs/reference/wire.md): frames, answers built field by field. */
#ifndef WIRE_H
#define WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants.h"

enum { WIRE_VERSION = 1, WIRE_MAX_BODY = 245, WIRE_SAMPLE_BYTES = 9, WIRE_MAX_SAMPLES = 26 };

enum wire_kind {
    WIRE_HELLO = 0x01,
    WIRE_DESCRIBE = 0x02,
    WIRE_RUN = 0x03,
    WIRE_SAMPLES = 0x04,
    WIRE_ABOUT = 0x10,
    WIRE_CALIBRATE = 0x11,
    WIRE_BATCH = 0x12,
    WIRE_CAPACITY = 0x13,
    WIRE_SWITCH = 0x18,
    WIRE_ANSWER = 0x80, /* added to the kind of the request */
    WIRE_REFUSED = 0xC0,
    WIRE_FAULT = 0xE0
};

enum wire_reason {
    REFUSED_NOTHING = 0, /* not refused; never on the wire */
    REFUSED_VERSION = 1,
    REFUSED_REQUEST = 2,
    REFUSED_BODY = 3,
    REFUSED_CASE = 4,
    REFUSED_VALUE = 5,
    REFUSED_HEAP = 6,
    REFUSED_BUFFER = 7,
    REFUSED_SAMPLES = 8,
    REFUSED_CALL = 9,
    REFUSED_SET_UP = 10,
    REFUSED_INDICATOR = 11,
    REFUSED_SYSTEM = 12
};

enum wire_option { OPTION_EMPTY = 1, OPTION_UNPLACED = 2, OPTION_PAIR = 4 };

enum wire_sample_flag {
    SAMPLE_TICK = 1,
    SAMPLE_OVERTAKEN = 2, /* a thread of the load began to work while it was under way */
    SAMPLE_LAST = 4,      /* a stamp that begins no sample: it lies behind its burst */
    SAMPLE_ORIGIN_SHIFT = 4
};

enum wire_fault {
    FAULT_UNDEFINED = 1,
    FAULT_PREFETCH = 2,
    FAULT_DATA = 3,
    FAULT_INTERRUPT = 4,
    FAULT_CHECK = 5,
    FAULT_STACK = 6
};

struct wire_request {
    uint8_t version, kind;
    uint16_t sequence;
    const uint8_t *body; /* valid until the next wire_receive() */
    size_t length;
};

/* Waits for the next sound frame. */
void wire_receive(struct wire_request *request);

/* Starts an answer; wire_put* add to its body; what exceeds WIRE_MAX_BODY is dropped. */
void wire_begin(uint8_t kind, uint16_t sequence);
void wire_put8(uint8_t value);
void wire_put16(uint16_t value);
void wire_put32(uint32_t value);
void wire_put_bytes(const void *data, size_t length);
void wire_put_string(const char *text); /* NULL is the empty string */
#ifdef __MEMX
void wire_put_constant(CONSTANT char *text);
#else
#define wire_put_constant wire_put_string
#endif

/* Seals what was begun, and sends it. wire_send() alone sends the last one again. */
void wire_finish(void);
void wire_send(void);

/* Little-endian fields of a body. */
uint16_t wire_get16(const uint8_t *at);
uint32_t wire_get32(const uint8_t *at);

/* Sends a fault frame and stops for good. Callable in any mode; needs no interrupt. */
void wire_fault(enum wire_fault cause, uint32_t address, const char *text)
    __attribute__((noreturn));

#endif
