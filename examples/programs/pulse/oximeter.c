/* A finger's pulse and how much oxygen its blood has, by red and infrared light: 100 samples a
 * second, all in integers.   oximeter SAMPLES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RATE_HZ 100
#define AVERAGE 8
#define DEAD 30 /* samples after a beat without another one */
#define BEATS 8

typedef struct {
    int32_t level;           /* what does not beat, in 1/256 */
    int32_t window[AVERAGE]; /* of what beats */
    int32_t sum, low, high;
    int at;
} channel_t;

static channel_t red, infrared;
static int32_t intervals[BEATS];
static int kept;

/* Takes away what does not beat, and smooths; returns how far a beat lowers the light. */
static int32_t filter(channel_t *channel, int32_t sample) {
    if (channel->level == 0)
        channel->level = sample << 8;
    channel->level += ((sample << 8) - channel->level) >> 7;
    int32_t beat = (channel->level >> 8) - sample;
    channel->sum += beat - channel->window[channel->at];
    channel->window[channel->at] = beat;
    channel->at = (channel->at + 1) % AVERAGE;
    int32_t smooth = channel->sum / AVERAGE;
    if (smooth < channel->low)
        channel->low = smooth;
    if (smooth > channel->high)
        channel->high = smooth;
    return smooth;
}

static void forget(channel_t *channel) {
    channel->low = INT16_MAX;
    channel->high = INT16_MIN;
}

/* The one in the middle of the last intervals. */
static int32_t typical(void) {
    int32_t sorted[BEATS];
    int count = kept < BEATS ? kept : BEATS;
    memcpy(sorted, intervals, sizeof sorted);
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && sorted[j - 1] > sorted[j]; j--) {
            int32_t one = sorted[j];
            sorted[j] = sorted[j - 1];
            sorted[j - 1] = one;
        }
    return sorted[count / 2];
}

/* In tenths of a per cent, by the ratio of ratios in 1/1024: a line that every sensor has its own
 * of. */
static int32_t oxygen(void) {
    int32_t red_beat = red.high - red.low, infrared_beat = infrared.high - infrared.low;
    int32_t red_level = red.level >> 8, infrared_level = infrared.level >> 8;
    if (infrared_beat <= 0 || red_level <= 0)
        return -1;
    int64_t ratio =
        (int64_t)red_beat * infrared_level * 1024 / ((int64_t)infrared_beat * red_level);
    int32_t found = (int32_t)(1100 - ratio * 250 / 1024);
    return found > 1000 ? 1000 : found;
}

static int read_sample(FILE *input, int32_t *one, int32_t *two) {
    uint8_t raw[4];
    if (fread(raw, 1, sizeof raw, input) != sizeof raw)
        return 0;
    *one = raw[0] | raw[1] << 8;
    *two = raw[2] | raw[3] << 8;
    return 1;
}

int main(int argc, char **argv) {
    int32_t now, before = 0, rising = 0, threshold = 0, last = 0, beats = 0, a, b, rate_sum = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    forget(&red);
    forget(&infrared);
    for (int32_t time = 0; read_sample(input, &a, &b); time++) {
        filter(&red, a);
        now = filter(&infrared, b);
        threshold -= threshold / 64;
        if (now > before) {
            rising = 1;
        } else if (now < before && rising) {
            rising = 0;
            if (before > threshold && time - last > DEAD) {
                threshold = before * 5 / 8;
                if (last && time - last < 2 * RATE_HZ) {
                    intervals[kept++ % BEATS] = time - last;
                    int32_t rate = 600 * RATE_HZ / typical(), part = oxygen();
                    fprintf(output, "%ld.%02ld s: %ld.%ld a minute, %ld.%ld %%\n",
                            (long)(time / RATE_HZ), (long)(time % RATE_HZ), (long)(rate / 10),
                            (long)(rate % 10), (long)(part / 10), (long)(part % 10));
                    rate_sum += rate;
                    beats++;
                }
                last = time;
                forget(&red);
                forget(&infrared);
            }
        }
        before = now;
    }
    if (beats)
        printf("%ld beats, %ld.%ld a minute\n", (long)beats, (long)(rate_sum / beats / 10),
               (long)(rate_sum / beats % 10));
    fclose(input);
    return fclose(output) != 0;
}
