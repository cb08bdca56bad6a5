/* A log that costs little where it is written: a number of the text and the raw arguments go into
 * a ring, and are made lines later. When the supply fails, the ring is kept.
 * blackout EVENTS SEED RING OUTPUT */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RING 2048

typedef enum { FORMATS_START, BOOT, LEVEL, LINK, MOTOR, USER, COUNTER, SUPPLY, FORMATS } format_t;

/* d: int, u: unsigned, c: character, s: string, l: 64 bits, x: hexadecimal */
static const struct {
    const char *text, *arguments;
} formats[FORMATS] = {
    {"", ""},
    {"boot %u, reset cause %x", "ux"},
    {"level of tank %c is %d, limit %d", "cdd"},
    {"link to %s: %s", "ss"},
    {"motor %u at %d of %d, status %x", "uddx"},
    {"user %s says \"%s\" (%d)", "ssd"},
    {"meter at %l pulses", "l"},
    {"supply at %d mV", "d"},
};

static uint8_t ring[RING];
static uint32_t head, tail, lost, seed;
static jmp_buf failure;

static uint32_t draw(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % below;
}

static uint8_t at(uint32_t place) {
    return ring[place % RING];
}

/* A record is its length, its format, and its arguments; the oldest ones go first. */
static void put_record(const uint8_t *record, uint32_t size) {
    while (head - tail + size + 1 > RING) {
        tail += at(tail) + 1u;
        lost++;
    }
    ring[head++ % RING] = (uint8_t)size;
    while (size--)
        ring[head++ % RING] = *record++;
}

static void note(format_t format, ...) {
    uint8_t record[128];
    uint32_t size = 0;
    va_list arguments;
    record[size++] = (uint8_t)format;
    va_start(arguments, format);
    for (const char *kind = formats[format].arguments; *kind; kind++) {
        union {
            uint64_t wide;
            uint32_t word;
            uint8_t bytes[8];
        } value;
        const char *text;
        size_t length;
        switch (*kind) {
        case 's':
            text = va_arg(arguments, const char *);
            length = strlen(text);
            record[size++] = (uint8_t)length;
            memcpy(record + size, text, length);
            size += length;
            break;
        case 'c':
            record[size++] = (uint8_t)va_arg(arguments, int);
            break;
        case 'l':
            value.wide = va_arg(arguments, uint64_t);
            memcpy(record + size, value.bytes, 8);
            size += 8;
            break;
        default:
            value.word = va_arg(arguments, uint32_t);
            memcpy(record + size, value.bytes, 4);
            size += 4;
        }
    }
    va_end(arguments);
    put_record(record, size);
}

static void supply(int millivolts) {
    note(SUPPLY, millivolts);
    if (millivolts < 2700)
        longjmp(failure, millivolts);
}

static void happen(uint64_t *pulses) {
    static const char *const peers[] = {"pump", "valve station", "office", "gauge 7"};
    static const char *const states[] = {"up", "down", "slow", "unknown peer"};
    uint32_t first = draw(4), second = draw(4), third = draw(3000);
    switch (draw(7)) {
    case 0:
        note(BOOT, third, third << 4);
        break;
    case 1:
    case 2:
        note(LEVEL, 'A' + (int)first, (int)third - 400, 3200);
        break;
    case 3:
        note(LINK, peers[first], states[second]);
        break;
    case 4:
        note(MOTOR, first, (int)third - 1500, 1500, third << second);
        break;
    case 5:
        note(USER, peers[first], states[second], -(int)third);
        break;
    default:
        *pulses += (uint64_t)third * third * third;
        note(COUNTER, *pulses);
    }
    int low = draw(60) == 0 ? 900 : 0;
    supply(2700 + (int)draw(900) - low);
}

static int put_line(FILE *output, uint32_t from) {
    char line[256];
    int length = 0;
    uint32_t place = from + 1;
    uint8_t format = at(place++);
    if (format >= FORMATS)
        return -1;
    const char *kind = formats[format].arguments;
    for (const char *text = formats[format].text; *text; text++) {
        uint64_t value = 0;
        if (*text != '%') {
            line[length++] = *text;
            continue;
        }
        text++;
        if (*kind == 's') {
            for (uint8_t left = at(place++); left--;)
                line[length++] = (char)at(place++);
            kind++;
            continue;
        }
        int bytes = *kind == 'c' ? 1 : *kind == 'l' ? 8 : 4;
        for (int i = 0; i < bytes; i++)
            value |= (uint64_t)at(place++) << 8 * i;
        switch (*kind++) {
        case 'c':
            line[length++] = (char)value;
            break;
        case 'd':
            length += sprintf(line + length, "%ld", (long)(int32_t)value);
            break;
        case 'u':
            length += sprintf(line + length, "%lu", (unsigned long)value);
            break;
        case 'x':
            length += sprintf(line + length, "0x%04lX", (unsigned long)value);
            break;
        default:
            if (value >= 1000000000)
                length += sprintf(line + length, "%lu%09lu", (unsigned long)(value / 1000000000),
                                  (unsigned long)(value % 1000000000));
            else
                length += sprintf(line + length, "%lu", (unsigned long)value);
        }
    }
    line[length] = 0;
    return fprintf(output, "%s\n", line);
}

int main(int argc, char **argv) {
    static volatile uint32_t failures, events, lines;
    static uint64_t pulses;
    if (argc != 5)
        return 2;
    uint32_t wanted = (uint32_t)strtoul(argv[1], NULL, 10);
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    FILE *kept = fopen(argv[3], "wb"), *output = fopen(argv[4], "w");
    if (!kept || !output)
        return 1;
    int millivolts = setjmp(failure);
    if (millivolts) {
        failures++;
        fwrite(ring, 1, RING, kept);
        fprintf(output, "-- failure at %d mV, %lu lost\n", millivolts, (unsigned long)lost);
        while (tail != head) {
            if (put_line(output, tail) < 0)
                return 3;
            tail += at(tail) + 1u;
            lines++;
        }
    }
    while (events < wanted) {
        events++;
        happen(&pulses);
    }
    printf("%lu events, %lu failures, %lu lines, %lu lost, %lu left\n", (unsigned long)events,
           (unsigned long)failures, (unsigned long)lines, (unsigned long)lost,
           (unsigned long)(head - tail));
    fclose(kept);
    return fclose(output) != 0;
}
