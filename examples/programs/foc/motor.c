/* Controls a motor with three phases by its field, in fixed point: Clarke, Park, two controllers
 * and a vector of voltages. A model of the motor answers.   motor STEPS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define TWO_THIRDS_Q15 21845
#define ROOT_3_Q14 28378
#define INVERSE_ROOT_3_Q15 18919

typedef struct {
    int32_t alpha, beta;
} still_t;
typedef struct {
    int32_t d, q;
} turning_t;
typedef struct {
    int32_t a, b, c;
} phases_t;

typedef struct {
    int32_t gain_q12, integral_gain_q12, sum, limit;
} controller_t;

typedef struct {
    turning_t current;
    int32_t speed, angle_q8;
} motor_t;

/* A quarter of a sine in 65 points. */
static int16_t quarter[65];

static int32_t multiply(int32_t a, int32_t b) {
    return (int32_t)(((int64_t)a * b) >> 15);
}

static void make_quarter(void) {
    /* The angle of addition, from sin and cos of a step. */
    int64_t sine = 0, cosine = 1 << 30;
    const int64_t step_sine = 26350943, step_cosine = 1073418433;
    for (int i = 0; i <= 64; i++) {
        quarter[i] = (int16_t)(sine >> 15 > 32767 ? 32767 : sine >> 15);
        int64_t next = (sine * step_cosine + cosine * step_sine) >> 30;
        cosine = (cosine * step_cosine - sine * step_sine) >> 30;
        sine = next;
    }
}

static int32_t sine_of(uint16_t angle) {
    uint16_t within = angle & 0x3FFF;
    int negative = angle >> 15;
    if (angle & 0x4000)
        within = (uint16_t)(0x4000 - within);
    int index = within >> 8, part = within & 255;
    int32_t value = quarter[index];
    if (index < 64)
        value += ((quarter[index + 1] - value) * part) >> 8;
    return negative ? -value : value;
}

static still_t clarke(phases_t phases) {
    still_t still;
    still.alpha = multiply(2 * phases.a - phases.b - phases.c, TWO_THIRDS_Q15) / 2;
    still.beta = multiply(phases.b - phases.c, INVERSE_ROOT_3_Q15);
    return still;
}

static phases_t clarke_back(still_t still) {
    int32_t across = (int32_t)(((int64_t)still.beta * ROOT_3_Q14) >> 15);
    phases_t phases = {still.alpha, -still.alpha / 2 + across, -still.alpha / 2 - across};
    return phases;
}

static turning_t park(still_t still, int32_t sine, int32_t cosine) {
    turning_t turning = {multiply(still.alpha, cosine) + multiply(still.beta, sine),
                         multiply(still.beta, cosine) - multiply(still.alpha, sine)};
    return turning;
}

static still_t park_back(turning_t turning, int32_t sine, int32_t cosine) {
    still_t still = {multiply(turning.d, cosine) - multiply(turning.q, sine),
                     multiply(turning.d, sine) + multiply(turning.q, cosine)};
    return still;
}

static int32_t clamp(int32_t value, int32_t limit) {
    return value > limit ? limit : value < -limit ? -limit : value;
}

static int32_t control(controller_t *controller, int32_t error) {
    controller->sum =
        clamp(controller->sum + error * controller->integral_gain_q12 / 4096, controller->limit);
    return clamp(error * controller->gain_q12 / 4096 + controller->sum, controller->limit);
}

/* The middle of the three is put at half of what the bridge has. */
static void modulate(phases_t voltage, uint16_t duty[3]) {
    int32_t least = voltage.a, most = voltage.a;
    int32_t all[3] = {voltage.a, voltage.b, voltage.c};
    for (int i = 1; i < 3; i++) {
        if (all[i] < least)
            least = all[i];
        if (all[i] > most)
            most = all[i];
    }
    int32_t shift = (least + most) / 2;
    for (int i = 0; i < 3; i++) {
        int32_t value = (all[i] - shift) / 32 + 512;
        duty[i] = (uint16_t)(value < 0 ? 0 : value > 1023 ? 1023 : value);
    }
}

static void turn(motor_t *motor, const uint16_t duty[3], int32_t load) {
    phases_t voltage = {((int32_t)duty[0] - 512) * 32, ((int32_t)duty[1] - 512) * 32,
                        ((int32_t)duty[2] - 512) * 32};
    uint16_t angle = (uint16_t)(motor->angle_q8 >> 8);
    turning_t v = park(clarke(voltage), sine_of(angle), sine_of((uint16_t)(angle + 0x4000)));
    motor->current.d +=
        (v.d - motor->current.d) / 16 + multiply(motor->speed * 2, motor->current.q) / 8;
    motor->current.q += (v.q - motor->speed - motor->current.q) / 16 -
                        multiply(motor->speed * 2, motor->current.d) / 8;
    motor->speed += (motor->current.q - load - motor->speed / 16) / 64;
    motor->angle_q8 = (motor->angle_q8 + motor->speed * 16) & 0xFFFFFF;
}

int main(int argc, char **argv) {
    controller_t d = {6000, 800, 0, 16000}, q = {6000, 800, 0, 16000}, speed = {9000, 60, 0, 14000};
    motor_t motor = {{0, 0}, 0, 0};
    int32_t wanted = 0, reference_q = 0;
    uint16_t duty[3] = {512, 512, 512};
    if (argc != 3)
        return 2;
    FILE *output = fopen(argv[2], "w");
    if (!output)
        return 1;
    make_quarter();
    for (int step = 0; step < atoi(argv[1]); step++) {
        uint16_t angle = (uint16_t)(motor.angle_q8 >> 8);
        int32_t sine = sine_of(angle), cosine = sine_of((uint16_t)(angle + 0x4000));
        phases_t measured = clarke_back(park_back(motor.current, sine, cosine));
        turning_t current = park(clarke(measured), sine, cosine);
        if (step % 10 == 0) {
            wanted = step / 1000 % 2 ? 3000 : 8000;
            reference_q = control(&speed, wanted - motor.speed);
        }
        turning_t voltage = {control(&d, -current.d), control(&q, reference_q - current.q)};
        modulate(clarke_back(park_back(voltage, sine, cosine)), duty);
        turn(&motor, duty, step % 700 < 200 ? 600 : 100);
        if (step % 50 == 0)
            fprintf(output, "%d %ld %ld %ld %ld %u %u %u\n", step, (long)wanted, (long)motor.speed,
                    (long)current.d, (long)current.q, duty[0], duty[1], duty[2]);
    }
    printf("speed %ld of %ld at angle %ld\n", (long)motor.speed, (long)wanted,
           (long)(motor.angle_q8 >> 8));
    return fclose(output) != 0;
}
