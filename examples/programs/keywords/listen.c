/* Which of six sounds is it? Each half second of speech becomes mel bands, and a small network in
 * eight bits decides. The weights come from a seed: no one has trained it.   listen INPUT SEED */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FRAME 128
#define HALF (FRAME / 2)
#define BANDS 10
#define FRAMES 16
#define FILTERS 8
#define TAPS 3
#define SOUNDS 6
#define PI 3.14159265f

static float window[FRAME], sine[FRAME];
static uint8_t order[FRAME];
static int16_t edge[BANDS + 2];
static int8_t kernel[FILTERS][TAPS][BANDS], dense[SOUNDS][FILTERS * (FRAMES - TAPS + 1)];
static int32_t kernel_bias[FILTERS], dense_bias[SOUNDS];
static int8_t features[FRAMES][BANDS], hidden[(FRAMES - TAPS + 1) * FILTERS];

static float mel(float hz) {
    return 1127.0f * logf(1.0f + hz / 700.0f);
}
static float hertz(float mels) {
    return 700.0f * (expf(mels / 1127.0f) - 1.0f);
}

static void prepare(uint32_t seed) {
    for (int i = 0; i < FRAME; i++) {
        window[i] = 0.54f - 0.46f * cosf(2 * PI * (float)i / (FRAME - 1));
        sine[i] = sinf(2 * PI * (float)i / FRAME);
        int reversed = 0;
        for (int bit = 0; bit < 7; bit++)
            reversed |= (i >> bit & 1) << (6 - bit);
        order[i] = (uint8_t)reversed;
    }
    float low = mel(100), step = (mel(3800) - low) / (BANDS + 1);
    for (int i = 0; i < BANDS + 2; i++)
        edge[i] = (int16_t)(hertz(low + step * (float)i) * FRAME / 8000 + 0.5f);
    int8_t *all = &kernel[0][0][0];
    for (size_t i = 0; i < sizeof kernel + sizeof dense; i++) {
        seed = seed * 1664525u + 1013904223u;
        if (i == sizeof kernel)
            all = &dense[0][0] - i;
        all[i] = (int8_t)((int)(seed >> 25) - 64);
    }
    for (int i = 0; i < FILTERS; i++)
        kernel_bias[i] = (i - 4) * 300;
    for (int i = 0; i < SOUNDS; i++)
        dense_bias[i] = 100 * i;
}

static void transform(float *re, float *im) {
    for (int size = 2; size <= FRAME; size *= 2) {
        int step = FRAME / size;
        for (int start = 0; start < FRAME; start += size) {
            for (int k = 0; k < size / 2; k++) {
                float c = sine[(k * step + FRAME / 4) % FRAME], s = -sine[k * step];
                float *a = re + start + k, *b = im + start + k;
                float real = a[size / 2] * c - b[size / 2] * s;
                float imaginary = a[size / 2] * s + b[size / 2] * c;
                a[size / 2] = a[0] - real;
                b[size / 2] = b[0] - imaginary;
                a[0] += real;
                b[0] += imaginary;
            }
        }
    }
}

static int8_t clamp(int32_t value) {
    return (int8_t)(value > 127 ? 127 : value < -128 ? -128 : value);
}

static void bands(const int16_t *samples, int8_t *to) {
    float re[FRAME], im[FRAME], power[HALF + 1];
    for (int i = 0; i < FRAME; i++) {
        re[order[i]] = (float)samples[i] * window[i];
        im[i] = 0;
    }
    transform(re, im);
    for (int i = 0; i <= HALF; i++)
        power[i] = re[i] * re[i] + im[i] * im[i];
    for (int band = 0; band < BANDS; band++) {
        int left = edge[band], middle = edge[band + 1], right = edge[band + 2];
        float total = 1.0f;
        for (int i = left + 1; i <= middle; i++)
            total += power[i] * (float)(i - left) / (float)(middle - left);
        for (int i = middle + 1; i < right; i++)
            total += power[i] * (float)(right - i) / (float)(right - middle);
        to[band] = clamp((int32_t)(logf(total) * 8.0f) - 100);
    }
}

static int decide(int32_t *best) {
    int winner = 0;
    int8_t *to = hidden;
    for (int t = 0; t <= FRAMES - TAPS; t++) {
        for (int filter = 0; filter < FILTERS; filter++) {
            int32_t sum = kernel_bias[filter];
            const int8_t *weight = kernel[filter][0], *from = features[t];
            for (int i = 0; i < TAPS * BANDS; i++)
                sum += weight[i] * from[i];
            *to++ = sum < 0 ? 0 : clamp(sum >> 7);
        }
    }
    *best = INT32_MIN;
    for (int sound = 0; sound < SOUNDS; sound++) {
        int32_t sum = dense_bias[sound];
        for (size_t i = 0; i < sizeof hidden; i++)
            sum += dense[sound][i] * hidden[i];
        if (sum > *best) {
            *best = sum;
            winner = sound;
        }
    }
    return winner;
}

int main(int argc, char **argv) {
    static const char *const NAMES[SOUNDS] = {"silence", "yes", "no", "up", "down", "other"};
    static uint8_t raw[2 * FRAME];
    static int16_t samples[FRAME];
    int frame = 0, heard[SOUNDS] = {0};
    uint32_t sum = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    if (!input)
        return 1;
    prepare((uint32_t)atoi(argv[2]));
    while (fread(raw, 2, FRAME, input) == FRAME) {
        for (int i = 0; i < FRAME; i++)
            samples[i] = (int16_t)(raw[2 * i] | raw[2 * i + 1] << 8);
        memmove(features[0], features[1], sizeof features - sizeof features[0]);
        bands(samples, features[FRAMES - 1]);
        if (++frame < FRAMES)
            continue;
        int32_t score;
        int sound = decide(&score);
        heard[sound]++;
        sum = sum * 31 + (uint32_t)score / 16;
    }
    for (int i = 0; i < SOUNDS; i++)
        printf("%s %d\n", NAMES[i], heard[i]);
    printf("%d frames, %08x\n", frame, (unsigned)sum);
    return fclose(input) != 0;
}
