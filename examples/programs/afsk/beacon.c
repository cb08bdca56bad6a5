/* Hears packets of amateur radio in a recording: two tones, bits by their change, frames between
 * flags, addresses of stations.   beacon RECORDING OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 8 /* samples of one bit at 9,600 Hz */
#define LONGEST 330

typedef struct {
    int16_t samples[WINDOW];
    uint8_t at;
    int32_t sums[4];
} correlator_t;

typedef struct {
    uint8_t data[LONGEST];
    unsigned size, bits, ones;
    uint8_t byte, inside : 1, broken : 1;
} framer_t;

static const int8_t tones[4][WINDOW] = {
    {127, 90, 0, -90, -127, -90, 0, 90},
    {0, 90, 127, 90, 0, -90, -127, -90},
    {127, 17, -123, -49, 110, 79, -90, -103},
    {0, 126, 33, -117, -64, 100, 90, -75},
};
static uint16_t crc_table[256];
static unsigned good, wrong, flags;

static void make_table(void) {
    for (unsigned i = 0; i < 256; i++) {
        unsigned value = i;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0x8408 : value >> 1;
        crc_table[i] = (uint16_t)value;
    }
}

static uint16_t crc(const uint8_t *data, unsigned size) {
    uint16_t value = 0xFFFF;
    while (size--)
        value = (uint16_t)(value >> 8 ^ crc_table[(value ^ *data++) & 255]);
    return (uint16_t)~value;
}

/* Positive for the high tone: 2,200 Hz, not 1,200. */
static int32_t discriminate(correlator_t *one, int16_t sample) {
    one->samples[one->at] = sample;
    one->at = (one->at + 1) % WINDOW;
    memset(one->sums, 0, sizeof one->sums);
    for (int i = 0; i < WINDOW; i++) {
        int32_t value = one->samples[(one->at + i) % WINDOW] >> 2;
        for (int tone = 0; tone < 4; tone++)
            one->sums[tone] += value * tones[tone][i];
    }
    int32_t power[2] = {0, 0};
    for (int tone = 0; tone < 4; tone++) {
        int32_t part = one->sums[tone] >> 8;
        power[tone / 2] += part * part >> 6;
    }
    return power[1] - power[0];
}

static unsigned put_call(FILE *output, const uint8_t *from) {
    for (int i = 0; i < 6 && from[i] >> 1 != ' '; i++)
        fputc(from[i] >> 1, output);
    if (from[6] >> 1 & 15)
        fprintf(output, "-%d", from[6] >> 1 & 15);
    if (from[6] & 0x80)
        fputc('*', output);
    return from[6] & 1;
}

static void frame(FILE *output, const uint8_t *data, unsigned size) {
    unsigned at = 7, last;
    if (size < 18)
        return;
    if (crc(data, size - 2) != (data[size - 2] | data[size - 1] << 8)) {
        wrong++;
        return;
    }
    good++;
    last = put_call(output, data + at);
    fputc('>', output);
    put_call(output, data);
    for (at += 7; !last && at + 7 < size; at += 7) {
        fputc(',', output);
        last = put_call(output, data + at);
    }
    if (data[at] != 0x03 || data[at + 1] != 0xF0) {
        fprintf(output, " control %02x\n", data[at]);
        return;
    }
    fprintf(output, ":%.*s\n", (int)(size - at - 4), (const char *)data + at + 2);
}

static void bit(framer_t *framer, FILE *output, unsigned value) {
    if (value) {
        if (++framer->ones > 6)
            framer->inside = 0;
    } else {
        unsigned ones = framer->ones;
        framer->ones = 0;
        if (ones == 6) {
            flags++;
            if (framer->inside && framer->size)
                frame(output, framer->data, framer->size);
            framer->inside = 1;
            framer->size = framer->bits = 0;
            return;
        }
        if (ones == 5)
            return;
    }
    if (!framer->inside)
        return;
    framer->byte = (uint8_t)(framer->byte >> 1 | value << 7);
    if (++framer->bits == 8) {
        framer->bits = 0;
        if (framer->size == LONGEST)
            framer->inside = 0;
        else
            framer->data[framer->size++] = framer->byte;
    }
}

int main(int argc, char **argv) {
    static int16_t samples[256];
    static correlator_t correlator;
    static framer_t framer;
    uint32_t phase = 0;
    unsigned level = 0, before = 0;
    int32_t smooth = 0;
    size_t count;
    unsigned long heard = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    make_table();
    while ((count = fread(samples, 2, 256, input)) > 0) {
        heard += count;
        for (size_t i = 0; i < count; i++) {
            smooth += (discriminate(&correlator, samples[i]) - smooth) / 2;
            unsigned now = smooth > 0;
            if (now != level) {
                /* A change belongs to the middle between two looks. */
                int32_t off = (int32_t)(phase - 0x80000000u);
                phase -= (uint32_t)(off / 4);
                level = now;
            }
            uint32_t old = phase;
            phase += 0x20000000u;
            if (phase < old) {
                bit(&framer, output, level == before);
                before = level;
            }
        }
    }
    printf("%lu samples, %u frames, %u wrong, %u flags\n", heard, good, wrong, flags);
    fclose(input);
    return fclose(output) != 0;
}
