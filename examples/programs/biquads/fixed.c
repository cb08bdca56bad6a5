/* The same equaliser in fixed point: coefficients in Q28, sums of 64 bits, the direct form with
 * the error of each rounding fed back.   fixed INPUT OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "bands.h"

#define BLOCK 128
#define Q 28
#define ONE (1L << Q)

struct section {
    int32_t b[3], a[2];
    int32_t x1, x2, y1, y2;
    uint32_t rest;
};

static int32_t quantised(double coefficient) {
    return (int32_t)floor(coefficient * ONE + 0.5);
}

static void design(struct section *s, const struct band *band) {
    double a = pow(10.0, band->gain_db / 40.0);
    double w = 6.283185307179586 * band->middle_hz / RATE_HZ;
    double alpha = sin(w) / (2.0 * band->quality), scale = 1.0 / (1.0 + alpha / a);
    s->b[0] = quantised((1.0 + alpha * a) * scale);
    s->b[1] = s->a[0] = quantised(-2.0 * cos(w) * scale);
    s->b[2] = quantised((1.0 - alpha * a) * scale);
    s->a[1] = quantised((1.0 - alpha / a) * scale);
}

static int32_t step(struct section *s, int32_t x) {
    int64_t sum = s->rest;
    sum += (int64_t)s->b[0] * x;
    sum += (int64_t)s->b[1] * s->x1;
    sum += (int64_t)s->b[2] * s->x2;
    sum -= (int64_t)s->a[0] * s->y1;
    sum -= (int64_t)s->a[1] * s->y2;
    int32_t y = (int32_t)(sum >> Q);
    s->rest = (uint32_t)sum & (ONE - 1);
    s->x2 = s->x1;
    s->x1 = x;
    s->y2 = s->y1;
    s->y1 = y;
    return y;
}

int main(int argc, char **argv) {
    static struct section chain[BANDS];
    int16_t block[BLOCK];
    uint32_t clipped = 0;
    size_t got;

    if (argc != 3)
        return 1;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (!in || !out)
        return 1;
    for (int k = 0; k < BANDS; k++)
        design(&chain[k], &bands[k]);
    while ((got = fread(block, sizeof *block, BLOCK, in)) > 0) {
        for (int16_t *sample = block; sample < block + got; sample++) {
            /* Eight bits below the point of a sample. */
            int32_t value = *sample * 128;
            for (struct section *s = chain; s < chain + BANDS; s++)
                value = step(s, value);
            value = (value + 128) >> 8;
            if (value > INT16_MAX || value < INT16_MIN) {
                value = value < 0 ? INT16_MIN : INT16_MAX;
                clipped++;
            }
            *sample = (int16_t)value;
        }
        fwrite(block, sizeof *block, got, out);
    }
    printf("%u clipped\n", (unsigned)clipped);
    fclose(in);
    return fclose(out) != 0;
}
