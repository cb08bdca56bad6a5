/* Controls the speed of a simulated motor by a PID controller in fixed point, and logs it.
 * motor TARGETS LOG */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int32_t q16; /* 16 bits before the point, 16 behind */

static q16 multiplied(q16 a, q16 b) {
    return (q16)((int64_t)a * b >> 16);
}

static q16 divided(q16 a, q16 b) {
    return (q16)(((int64_t)a << 16) / b);
}

struct controller {
    q16 proportional, integral, derivative, sum, before;
};

static q16 control(struct controller *pid, q16 error) {
    q16 limit = 200 << 16;
    pid->sum += multiplied(pid->integral, error);
    if (pid->sum > limit)
        pid->sum = limit;
    if (pid->sum < -limit)
        pid->sum = -limit;
    q16 output = multiplied(pid->proportional, error) + pid->sum +
                 multiplied(pid->derivative, error - pid->before);
    pid->before = error;
    return output;
}

struct motor {
    q16 speed, current;
};

/* One step of it: voltage drives current, current drives speed, and speed brakes both. */
static void step(struct motor *motor, q16 voltage) {
    const q16 resistance = 78643, inertia = 26 << 16, inductance = 9 << 16, friction = 655;
    q16 driving = voltage - multiplied(resistance, motor->current) - motor->speed / 16;
    motor->current += divided(driving, inductance);
    motor->speed += divided(16 * motor->current - multiplied(friction, motor->speed), inertia);
}

int main(int argc, char **argv) {
    struct controller pid = {3 << 16, 6554, 1 << 15, 0, 0};
    struct motor motor = {0, 0};
    int target, steps, at = 0;
    if (argc != 3)
        return 2;
    FILE *targets = fopen(argv[1], "r");
    FILE *log = fopen(argv[2], "w");
    if (targets == NULL || log == NULL)
        return 1;
    while (fscanf(targets, "%d %d", &target, &steps) == 2)
        for (; steps > 0; steps--, at++) {
            step(&motor, control(&pid, ((q16)target << 16) - motor.speed));
            if (at % 64 == 0)
                fprintf(log, "%d,%d,%ld\n", at, target, (long)((int64_t)motor.speed * 1000 >> 16));
        }
    fclose(targets);
    return fclose(log) != 0;
}
