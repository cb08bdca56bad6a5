/* Attitude of a vehicle from gyroscope and accelerometer by Mahony's filter, with quaternions in
 * float; angles are written ten times a second, in tenths of degrees.   attitude INPUT OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define RATE_HZ 200
#define DEGREES 57.29578f
#define GYRO_SCALE (1.0f / (16.4f * DEGREES)) /* rad/s of a step at 2000 degrees/s */
#define KP 1.2f
#define KI 0.05f

typedef struct {
    float x, y, z;
} vec3;

typedef struct {
    float w, x, y, z;
} quat;

struct filter {
    quat q;
    vec3 bias;
    unsigned rejected;
};

static float inverse_root(float x) {
    /* A first guess by the exponent, then Newton twice. */
    uint32_t bits;
    float half = 0.5f * x;
    memcpy(&bits, &x, sizeof bits);
    bits = 0x5F3759DFu - (bits >> 1);
    memcpy(&x, &bits, sizeof bits);
    x *= 1.5f - half * x * x;
    x *= 1.5f - half * x * x;
    return x;
}

static vec3 cross(vec3 a, vec3 b) {
    vec3 c = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return c;
}

static vec3 scaled(vec3 a, float k) {
    vec3 b = {k * a.x, k * a.y, k * a.z};
    return b;
}

static vec3 sum(vec3 a, vec3 b) {
    vec3 c = {a.x + b.x, a.y + b.y, a.z + b.z};
    return c;
}

static float square(vec3 a) {
    return a.x * a.x + a.y * a.y + a.z * a.z;
}

static vec3 down(quat q) {
    vec3 d = {2.0f * (q.x * q.z - q.w * q.y), 2.0f * (q.w * q.x + q.y * q.z),
              q.w * q.w - q.x * q.x - q.y * q.y + q.z * q.z};
    return d;
}

static void update(struct filter *f, vec3 gyro, vec3 accel, float dt) {
    float g2 = square(accel);
    /* Far from 1 g it is not gravity that is measured. */
    if (g2 > 0.7f && g2 < 1.4f) {
        vec3 error = cross(scaled(accel, inverse_root(g2)), down(f->q));
        f->bias = sum(f->bias, scaled(error, KI * dt));
        gyro = sum(gyro, scaled(error, KP));
    } else
        f->rejected++;
    gyro = scaled(sum(gyro, f->bias), 0.5f * dt);
    quat q = f->q;
    quat next = {
        q.w - q.x * gyro.x - q.y * gyro.y - q.z * gyro.z,
        q.x + q.w * gyro.x + q.y * gyro.z - q.z * gyro.y,
        q.y + q.w * gyro.y - q.x * gyro.z + q.z * gyro.x,
        q.z + q.w * gyro.z + q.x * gyro.y - q.y * gyro.x,
    };
    float k = inverse_root(next.w * next.w + next.x * next.x + next.y * next.y + next.z * next.z);
    f->q = (quat){k * next.w, k * next.x, k * next.y, k * next.z};
}

static void angles(quat q, float *roll, float *pitch, float *yaw) {
    float s = 2.0f * (q.w * q.y - q.z * q.x);
    *roll = DEGREES * atan2f(2.0f * (q.w * q.x + q.y * q.z), 1.0f - 2.0f * (q.x * q.x + q.y * q.y));
    *pitch = DEGREES * asinf(s > 1.0f ? 1.0f : s < -1.0f ? -1.0f : s);
    *yaw = DEGREES * atan2f(2.0f * (q.w * q.z + q.x * q.y), 1.0f - 2.0f * (q.y * q.y + q.z * q.z));
}

int main(int argc, char **argv) {
    struct filter filter = {{1, 0, 0, 0}, {0, 0, 0}, 0};
    int16_t raw[6];
    unsigned n = 0;
    float roll, pitch, yaw;
    FILE *in, *out;

    if (argc != 3 || !(in = fopen(argv[1], "rb")) || !(out = fopen(argv[2], "w")))
        return 1;
    while (fread(raw, sizeof raw, 1, in) == 1) {
        vec3 gyro = {GYRO_SCALE * raw[0], GYRO_SCALE * raw[1], GYRO_SCALE * raw[2]};
        vec3 accel = {raw[3] / 4096.0f, raw[4] / 4096.0f, raw[5] / 4096.0f};
        update(&filter, gyro, accel, 1.0f / RATE_HZ);
        if (++n % (RATE_HZ / 10) == 0) {
            angles(filter.q, &roll, &pitch, &yaw);
            fprintf(out, "%u.%u %ld %ld %ld\n", n / RATE_HZ, n / (RATE_HZ / 10) % 10,
                    lroundf(10.0f * roll), lroundf(10.0f * pitch), lroundf(10.0f * yaw));
        }
    }
    printf("%u samples, %u not of gravity, bias %ld %ld %ld\n", n, filter.rejected,
           lroundf(100.0f * DEGREES * filter.bias.x), lroundf(100.0f * DEGREES * filter.bias.y),
           lroundf(100.0f * DEGREES * filter.bias.z));
    fclose(in);
    return fclose(out) != 0;
}
