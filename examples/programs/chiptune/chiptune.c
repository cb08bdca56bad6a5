/* Plays a tune on the voices of an old game: two pulses and noise, without aliases.
 * chiptune TUNE RATE OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blip_buf.h"

#define CLOCK_HZ 1789773
#define FRAME (CLOCK_HZ / 60)

typedef struct {
    unsigned period, at, steps; /* clocks of an eighth of its wave */
    int volume, level;
    uint8_t duty;
} pulse_t;

typedef struct {
    unsigned period, at;
    uint16_t shift;
    int volume, level;
} noise_t;

static const uint8_t duties[4] = {0x40, 0x60, 0x78, 0x9F};
static pulse_t pulses[2];
static noise_t hiss = {.period = 400, .shift = 1};
static blip_t *buffer;

static void output_level(int *before, int now, unsigned at) {
    if (now != *before) {
        blip_add_delta(buffer, at, now - *before);
        *before = now;
    }
}

static void run_pulse(pulse_t *pulse) {
    if (!pulse->period) {
        output_level(&pulse->level, 0, pulse->at);
        pulse->at = 0;
        return;
    }
    while (pulse->at < FRAME) {
        int high = duties[pulse->duty] >> (7 - pulse->steps % 8) & 1;
        output_level(&pulse->level, high ? pulse->volume : -pulse->volume, pulse->at);
        pulse->steps++;
        pulse->at += pulse->period;
    }
    pulse->at -= FRAME;
}

static void run_noise(void) {
    while (hiss.at < FRAME) {
        hiss.shift = (uint16_t)(hiss.shift >> 1 | ((hiss.shift ^ hiss.shift >> 1) & 1) << 14);
        output_level(&hiss.level, hiss.shift & 1 ? hiss.volume : -hiss.volume, hiss.at);
        hiss.at += hiss.period;
    }
    hiss.at -= FRAME;
    hiss.volume = hiss.volume * 7 / 8;
}

int main(int argc, char **argv) {
    static short samples[1024];
    char line[80], voice[8];
    unsigned frames = 0;
    uint32_t made = 0;
    if (argc != 4)
        return 2;
    uint32_t rate = (uint32_t)strtoul(argv[2], NULL, 10);
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[3], "wb");
    buffer = blip_new(1024);
    if (!input || !output || !buffer)
        return 1;
    blip_set_rates(buffer, CLOCK_HZ, rate);
    while (fgets(line, sizeof line, input)) {
        int number, volume, duty, count;
        unsigned hertz;
        if (sscanf(line, "%7s %d %u %d %d", voice, &number, &hertz, &volume, &duty) == 5 &&
            !strcmp(voice, "pulse") && number >= 0 && number < 2) {
            pulse_t *pulse = &pulses[number];
            pulse->period = hertz ? (CLOCK_HZ / 8 + hertz / 2) / hertz : 0;
            pulse->volume = volume;
            pulse->duty = (uint8_t)(duty & 3);
        } else if (sscanf(line, "hit %d", &volume) == 1)
            hiss.volume = volume;
        else if (sscanf(line, "wait %d", &count) == 1)
            while (count--) {
                run_pulse(&pulses[0]);
                run_pulse(&pulses[1]);
                run_noise();
                blip_end_frame(buffer, FRAME);
                int got = blip_read_samples(buffer, samples, 1024, 0);
                fwrite(samples, sizeof *samples, (size_t)got, output);
                made += (uint32_t)got;
                frames++;
            }
    }
    printf("%u frames, %lu samples\n", frames, (unsigned long)made);
    blip_delete(buffer);
    fclose(input);
    return fclose(output) != 0;
}
