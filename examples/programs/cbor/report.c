/* Reports of a sensor in CBOR: made as nested items, written, read again and shown in the notation
 * of RFC 8949, section 8.   report COUNT SEED OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE } major_t;

typedef struct item {
    major_t major;
    union {
        uint32_t number;
        float real;
        struct {
            const char *at;
            uint32_t length;
        } string;
        struct {
            struct item *first;
            uint32_t count;
        } list;
    } value;
    uint8_t is_float;
    struct item *next;
} item_t;

typedef struct {
    uint8_t *at, *end;
} buffer_t;

static uint32_t seed;

static uint32_t draw(uint32_t below) {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 8) % below;
}

static item_t *item(major_t major) {
    item_t *one = calloc(1, sizeof *one);
    if (!one)
        exit(1);
    one->major = major;
    return one;
}

static item_t *number(int32_t value) {
    item_t *one = item(value < 0 ? NEGATIVE : UNSIGNED);
    one->value.number = value < 0 ? (uint32_t)(-1 - value) : (uint32_t)value;
    return one;
}

static item_t *text(const char *words) {
    item_t *one = item(TEXT);
    one->value.string.at = words;
    one->value.string.length = (uint32_t)strlen(words);
    return one;
}

static item_t *real(float value) {
    item_t *one = item(SIMPLE);
    one->is_float = 1;
    one->value.real = value;
    return one;
}

static item_t *append(item_t *list, item_t *one) {
    item_t **at = &list->value.list.first;
    while (*at)
        at = &(*at)->next;
    *at = one;
    list->value.list.count++;
    return list;
}

static item_t *pair(item_t *map, const char *key, item_t *value) {
    append(map, text(key));
    append(map, value);
    map->value.list.count--;
    return map;
}

static void release(item_t *one) {
    while (one) {
        item_t *next = one->next;
        if (one->major == ARRAY || one->major == MAP || one->major == TAG)
            release(one->value.list.first);
        free(one);
        one = next;
    }
}

static void put(buffer_t *to, uint8_t byte) {
    if (to->at < to->end)
        *to->at++ = byte;
}

static void head(buffer_t *to, major_t major, uint32_t value) {
    uint8_t top = (uint8_t)(major << 5);
    if (value < 24) {
        put(to, top | (uint8_t)value);
        return;
    }
    int size = value < 0x100 ? 0 : value < 0x10000 ? 1 : 2;
    put(to, top | (uint8_t)(24 + size));
    for (int shift = (8 << size) - 8; shift >= 0; shift -= 8)
        put(to, (uint8_t)(value >> shift));
}

static void encode(buffer_t *to, const item_t *one) {
    switch (one->major) {
    case UNSIGNED:
    case NEGATIVE:
        head(to, one->major, one->value.number);
        break;
    case BYTES:
    case TEXT:
        head(to, one->major, one->value.string.length);
        for (uint32_t i = 0; i < one->value.string.length; i++)
            put(to, (uint8_t)one->value.string.at[i]);
        break;
    case ARRAY:
    case MAP:
    case TAG:
        head(to, one->major, one->value.list.count);
        for (const item_t *inner = one->value.list.first; inner; inner = inner->next)
            encode(to, inner);
        break;
    case SIMPLE:
        if (one->is_float) {
            uint32_t bits;
            memcpy(&bits, &one->value.real, sizeof bits);
            put(to, 0xFA);
            for (int shift = 24; shift >= 0; shift -= 8)
                put(to, (uint8_t)(bits >> shift));
        } else {
            head(to, SIMPLE, one->value.number);
        }
    }
}

static uint32_t argument(buffer_t *from, int additional) {
    uint32_t value = 0;
    if (additional < 24)
        return (uint32_t)additional;
    for (int left = 1 << (additional - 24); left > 0 && from->at < from->end; left--)
        value = value << 8 | *from->at++;
    return value;
}

static void show(buffer_t *from, FILE *to) {
    static const char *const NAMES[] = {"false", "true", "null", "undefined"};
    if (from->at >= from->end)
        return;
    int first = *from->at++;
    uint32_t value = argument(from, first & 31);
    switch ((major_t)(first >> 5)) {
    case UNSIGNED:
        fprintf(to, "%lu", (unsigned long)value);
        break;
    case NEGATIVE:
        fprintf(to, "%ld", -1 - (long)value);
        break;
    case BYTES:
        fputs("h'", to);
        while (value--)
            fprintf(to, "%02x", *from->at++);
        fputc('\'', to);
        break;
    case TEXT:
        fprintf(to, "\"%.*s\"", (int)value, (const char *)from->at);
        from->at += value;
        break;
    case ARRAY:
        fputc('[', to);
        for (uint32_t i = 0; i < value; i++) {
            fputs(i ? ", " : "", to);
            show(from, to);
        }
        fputc(']', to);
        break;
    case MAP:
        fputc('{', to);
        for (uint32_t i = 0; i < value; i++) {
            fputs(i ? ", " : "", to);
            show(from, to);
            fputs(": ", to);
            show(from, to);
        }
        fputc('}', to);
        break;
    case TAG:
        fprintf(to, "%lu(", (unsigned long)value);
        show(from, to);
        fputc(')', to);
        break;
    case SIMPLE:
        if ((first & 31) == 26) {
            float single;
            memcpy(&single, &value, sizeof single);
            long thousandths = lroundf(single * 1000.0f);
            fprintf(to, "%s%ld.%03ld", thousandths < 0 ? "-" : "", labs(thousandths) / 1000,
                    labs(thousandths) % 1000);
        } else {
            fputs(NAMES[(value - 20) & 3], to);
        }
    }
}

static item_t *report(int serial) {
    static const char *const PLACES[] = {"boiler", "roof", "cellar", "stairs"};
    static const char RAW[] = "\x01\x80\xFF\x7F\x10\x20\x30\x40\x50";
    item_t *map = item(MAP), *values = item(ARRAY), *when = item(TAG), *raw = item(BYTES);
    append(when, number(1767225600 + serial * 60));
    when->value.list.count = 1;
    raw->value.string.at = RAW;
    raw->value.string.length = 1 + draw(8);
    for (uint32_t left = 1 + draw(7); left > 0; left--) {
        if (draw(3))
            append(values, number((int32_t)draw(140000) - 70000));
        else
            append(values, real((float)draw(20000) / 64.0f - 100.0f));
    }
    item_t *state = item(SIMPLE);
    state->value.number = 20 + draw(3);
    pair(map, "place", text(PLACES[draw(4)]));
    pair(map, "at", when);
    pair(map, "values", values);
    pair(map, "raw", raw);
    pair(map, "open", state);
    if (draw(4) == 0)
        pair(map, "next", append(append(item(ARRAY), number(serial)), item(MAP)));
    return map;
}

int main(int argc, char **argv) {
    static uint8_t packed[512];
    FILE *output;
    unsigned total = 0;
    uint32_t sum = 0;
    if (argc != 4 || !(output = fopen(argv[3], "w")))
        return 2;
    int count = atoi(argv[1]);
    seed = (uint32_t)atoi(argv[2]);
    for (int i = 0; i < count; i++) {
        buffer_t to = {packed, packed + sizeof packed};
        item_t *one = report(i);
        encode(&to, one);
        release(one);
        for (const uint8_t *p = packed; p < to.at; p++)
            sum = (sum << 3 | sum >> 29) ^ *p;
        total += (unsigned)(to.at - packed);
        buffer_t from = {packed, to.at};
        show(&from, output);
        fputc('\n', output);
    }
    printf("%d reports, %u bytes, %08x\n", count, total, (unsigned)sum);
    return fclose(output) != 0;
}
