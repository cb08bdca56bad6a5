/* Spectrum of each frame of 16-bit samples in floating point: a window, a fast Fourier transform,
 * the power of bands in decibels.   fft INPUT OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { FRAME = 256, BANDS = 16 };

static const double PI = 3.14159265358979323846;

static void transform(float *re, float *im, int n) {
    for (int i = 1, j = 0; i < n; i++) {
        int bit = n >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            float kept = re[i];
            re[i] = re[j];
            re[j] = kept;
            kept = im[i];
            im[i] = im[j];
            im[j] = kept;
        }
    }
    for (int length = 2; length <= n; length *= 2) {
        float cosine = (float)cos(2 * PI / length), sine = (float)-sin(2 * PI / length);
        for (int begin = 0; begin < n; begin += length) {
            float wr = 1, wi = 0;
            for (int i = begin; i < begin + length / 2; i++) {
                int k = i + length / 2;
                float tr = re[k] * wr - im[k] * wi, ti = re[k] * wi + im[k] * wr;
                re[k] = re[i] - tr;
                im[k] = im[i] - ti;
                re[i] += tr;
                im[i] += ti;
                tr = wr * cosine - wi * sine;
                wi = wr * sine + wi * cosine;
                wr = tr;
            }
        }
    }
}

int main(int argc, char **argv) {
    static int16_t samples[FRAME];
    static float window[FRAME], re[FRAME], im[FRAME];
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    for (int i = 0; i < FRAME; i++)
        window[i] = (float)(0.5 - 0.5 * cos(2 * PI * i / FRAME));
    while (fread(samples, sizeof *samples, FRAME, input) == FRAME) {
        for (int i = 0; i < FRAME; i++) {
            re[i] = samples[i] * window[i];
            im[i] = 0;
        }
        transform(re, im, FRAME);
        for (int band = 0; band < BANDS; band++) {
            float power = 1;
            for (int i = band * FRAME / 2 / BANDS; i < (band + 1) * FRAME / 2 / BANDS; i++)
                power += re[i] * re[i] + im[i] * im[i];
            fprintf(output, "%4d", (int)(10 * log10(power)));
        }
        putc('\n', output);
    }
    fclose(input);
    return fclose(output) != 0;
}
