/* Plays a score on a chip of FM synthesis, and keeps what it sounds like.
 * jingle SCORE RATE OUTPUT.wav */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opl3.h"

#define FRAMES 64

typedef struct {
    unsigned char flags[2], levels[2], attacks[2], releases[2], feedback;
} voice_t;

static const voice_t voices[] = {
    {{0x21, 0x21}, {0x3F, 0x00}, {0xF0, 0xF0}, {0x0F, 0x0F}, 0x30}, /* a flute */
    {{0x21, 0x21}, {0x1A, 0x00}, {0xF2, 0xF1}, {0x4A, 0x4A}, 0x36}, /* an organ */
    {{0x22, 0x21}, {0x16, 0x02}, {0xF4, 0xF3}, {0x46, 0x58}, 0x38}, /* a bell */
};
static opl3_chip chip;

static void write_voice(const voice_t *voice) {
    for (int i = 0; i < 2; i++) {
        unsigned short slot = (unsigned short)(3 * i);
        OPL3_WriteReg(&chip, 0x20 + slot, voice->flags[i]);
        OPL3_WriteReg(&chip, 0x40 + slot, voice->levels[i]);
        OPL3_WriteReg(&chip, 0x60 + slot, voice->attacks[i]);
        OPL3_WriteReg(&chip, 0x80 + slot, voice->releases[i]);
    }
    OPL3_WriteReg(&chip, 0xC0, voice->feedback);
}

/* The least block in which a frequency's number has ten bits. */
static void key(double hertz, int on) {
    unsigned block = 0, number;
    while ((number = (unsigned)(hertz * (1 << (20 - block)) / 49716 + 0.5)) > 1023)
        block++;
    OPL3_WriteReg(&chip, 0xA0, number & 255);
    OPL3_WriteReg(&chip, 0xB0, (unsigned char)((on ? 0x20 : 0) | block << 2 | number >> 8));
}

static void put(FILE *output, unsigned long value, int size) {
    for (; size--; value >>= 8)
        fputc((int)(value & 255), output);
}

static void write_head(FILE *output, unsigned long rate, unsigned long frames) {
    fputs("RIFF", output);
    put(output, 36 + 2 * frames, 4);
    fputs("WAVEfmt ", output);
    put(output, 16, 4);
    put(output, 1, 2);
    put(output, 1, 2);
    put(output, rate, 4);
    put(output, 2 * rate, 4);
    put(output, 2, 2);
    put(output, 16, 2);
    fputs("data", output);
    put(output, 2 * frames, 4);
}

int main(int argc, char **argv) {
    int16_t both[2 * FRAMES], mono[FRAMES];
    unsigned voice, hertz, frames;
    unsigned long total = 0;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[3], "wb");
    unsigned long rate = strtoul(argv[2], NULL, 10);
    if (!input || !output)
        return 1;
    OPL3_Reset(&chip, (uint32_t)rate);
    OPL3_WriteReg(&chip, 0x105, 1);
    write_head(output, rate, 0);
    while (fscanf(input, "%u %u %u", &voice, &hertz, &frames) == 3) {
        write_voice(&voices[voice % 3]);
        key(hertz, 1);
        for (unsigned left = frames; left;) {
            unsigned now = left < FRAMES ? left : FRAMES;
            OPL3_GenerateStream(&chip, both, now);
            for (unsigned i = 0; i < now; i++)
                mono[i] = (int16_t)((both[2 * i] + both[2 * i + 1]) / 2);
            fwrite(mono, sizeof *mono, now, output);
            left -= now;
        }
        key(hertz, 0);
        total += frames;
    }
    rewind(output);
    write_head(output, rate, total);
    printf("%lu frames\n", total);
    fclose(input);
    return fclose(output) != 0;
}
