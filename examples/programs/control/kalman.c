/* Smooths a noisy position by a Kalman filter of position and speed, in single precision.
 * kalman INPUT OUTPUT: samples of 16 bits. */
#include <stdint.h>
#include <stdio.h>

struct filter {
    float position, speed;
    float p00, p01, p11; /* covariance */
};

static void predict(struct filter *filter, float dt, float noise) {
    filter->position += dt * filter->speed;
    filter->p00 += dt * (2 * filter->p01 + dt * filter->p11) + noise * dt * dt * dt / 3;
    filter->p01 += dt * filter->p11 + noise * dt * dt / 2;
    filter->p11 += noise * dt;
}

static void correct(struct filter *filter, float measured, float variance) {
    float innovation = measured - filter->position;
    float sum = filter->p00 + variance;
    float k0 = filter->p00 / sum, k1 = filter->p01 / sum;
    filter->position += k0 * innovation;
    filter->speed += k1 * innovation;
    filter->p11 -= k1 * filter->p01;
    filter->p01 -= k0 * filter->p01;
    filter->p00 -= k0 * filter->p00;
}

int main(int argc, char **argv) {
    struct filter filter = {0, 0, 1e6f, 0, 1e6f};
    int16_t sample;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    while (fread(&sample, sizeof sample, 1, input) == 1) {
        predict(&filter, 0.125f, 40.0f);
        correct(&filter, sample, 2500.0f);
        sample = (int16_t)filter.position;
        fwrite(&sample, sizeof sample, 1, output);
    }
    printf("%d %d\n", (int)filter.position, (int)filter.speed);
    fclose(input);
    return fclose(output) != 0;
}
