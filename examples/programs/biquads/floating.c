/* An equaliser of second-order sections in float, in the transposed direct form.
 * floating INPUT OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "bands.h"

#define BLOCK 128
#define PI 3.14159265f

typedef struct {
    float b0, b1, b2, a1, a2;
    float s1, s2;
} biquad_t;

static void peak(biquad_t *q, const struct band *band) {
    float a = powf(10.0f, band->gain_db / 40.0f);
    float w = 2.0f * PI * band->middle_hz / RATE_HZ;
    float alpha = sinf(w) / (2.0f * band->quality);
    float scale = 1.0f / (1.0f + alpha / a);
    q->b0 = (1.0f + alpha * a) * scale;
    q->b1 = q->a1 = -2.0f * cosf(w) * scale;
    q->b2 = (1.0f - alpha * a) * scale;
    q->a2 = (1.0f - alpha / a) * scale;
    q->s1 = q->s2 = 0.0f;
}

static void filter(biquad_t *q, float *x, int n) {
    float s1 = q->s1, s2 = q->s2;
    for (int i = 0; i < n; i++) {
        float y = q->b0 * x[i] + s1;
        s1 = q->b1 * x[i] - q->a1 * y + s2;
        s2 = q->b2 * x[i] - q->a2 * y;
        x[i] = y;
    }
    q->s1 = s1;
    q->s2 = s2;
}

static int16_t limited(float x, unsigned *clipped) {
    if (x >= 32767.0f || x <= -32768.0f) {
        ++*clipped;
        return x > 0 ? 32767 : -32768;
    }
    return (int16_t)(x + (x < 0 ? -0.5f : 0.5f));
}

int main(int argc, char **argv) {
    static biquad_t cascade[BANDS];
    static int16_t samples[BLOCK];
    static float work[BLOCK];
    unsigned clipped = 0;
    size_t got;
    double power = 0;

    if (argc != 3)
        return 1;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out)
        return 1;
    for (int k = 0; k < BANDS; k++)
        peak(&cascade[k], &bands[k]);
    while ((got = fread(samples, sizeof samples[0], BLOCK, in)) > 0) {
        for (size_t i = 0; i < got; i++)
            work[i] = samples[i];
        for (int k = 0; k < BANDS; k++)
            filter(&cascade[k], work, (int)got);
        for (size_t i = 0; i < got; i++) {
            /* Half as loud: the peaks must not clip. */
            samples[i] = limited(0.5f * work[i], &clipped);
            power += (double)samples[i] * samples[i];
        }
        fwrite(samples, sizeof samples[0], got, out);
    }
    printf("%u clipped, power %ld\n", clipped, (long)(power / 1e6));
    fclose(in);
    return fclose(out) != 0;
}
