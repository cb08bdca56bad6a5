/* Multiplies, transposes and solves; a Fourier transform in fixed point. */
#include <stdint.h>

enum { N = 8, POINTS = 32 };

static int32_t a[N][N], b[N][N], c[N][N];
static int16_t re[POINTS], im[POINTS];
static const int16_t sine[POINTS / 2] = {
    0,     6393,  12540, 18205, 23170, 27246, 30274, 32138,
    32767, 32138, 30274, 27246, 23170, 18205, 12540, 6393,
};

static void multiply(int32_t (*x)[N], int32_t (*y)[N], int32_t (*out)[N]) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int32_t sum = 0;
            for (int k = 0; k < N; k++)
                sum += x[i][k] * y[k][j];
            out[i][j] = sum;
        }
}

static int trace_of_transposed(int32_t (*x)[N]) {
    int trace = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            int32_t kept = x[i][j];
            x[i][j] = x[j][i];
            x[j][i] = kept;
            if (kept < 0)
                continue;
            trace ^= kept;
        }
        trace += x[i][i];
    }
    return trace;
}

static int16_t scaled(int32_t x, int16_t by) {
    return (int16_t)((x * by) >> 15);
}

static void transform(void) {
    for (int i = 1, j = 0; i < POINTS; i++) {
        int bit = POINTS >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            int16_t kept = re[i];
            re[i] = re[j];
            re[j] = kept;
            kept = im[i];
            im[i] = im[j];
            im[j] = kept;
        }
    }
    for (int length = 2; length <= POINTS; length <<= 1) {
        int half = length >> 1, step = POINTS / length;
        for (int i = 0; i < POINTS; i += length)
            for (int j = 0; j < half; j++) {
                int16_t s = (int16_t)-sine[j * step],
                        k = sine[(j * step + POINTS / 4) % (POINTS / 2)];
                if (j * step >= POINTS / 4)
                    k = (int16_t)-k;
                int16_t x = (int16_t)(scaled(re[i + j + half], k) - scaled(im[i + j + half], s));
                int16_t y = (int16_t)(scaled(re[i + j + half], s) + scaled(im[i + j + half], k));
                re[i + j + half] = (int16_t)((re[i + j] - x) >> 1);
                im[i + j + half] = (int16_t)((im[i + j] - y) >> 1);
                re[i + j] = (int16_t)((re[i + j] + x) >> 1);
                im[i + j] = (int16_t)((im[i + j] + y) >> 1);
            }
    }
}

static int64_t energy(void) {
    int64_t sum = 0;
    for (int i = 0; i < POINTS; i++)
        sum += (int64_t)re[i] * re[i] + (int64_t)im[i] * im[i];
    return sum;
}

int main(void) {
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (i * 7 + j * 3) % 11 - 5;
            b[i][j] = i == j ? 2 : (i ^ j) - 3;
        }
    multiply(a, b, c);
    for (int i = 0; i < POINTS; i++)
        re[i] = (int16_t)(i & 4 ? 9000 : -9000 + 100 * i);
    transform();
    return trace_of_transposed(c) + (int)energy();
}
