/* Plans the moves of a machine with three axes from G-code: trapezoids of speed, and the steps of
 * each axis.   plan INPUT OUTPUT */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AXES 3
#define QUEUE 16
#define ACCELERATION_MM_S2 400.0f
#define TICK_HZ 2000.0f

enum { X, Y, Z };

static const float steps_per_mm[AXES] = {80.0f, 80.0f, 400.0f};
static const float top_mm_s[AXES] = {120.0f, 120.0f, 8.0f};

typedef struct {
    long steps[AXES];
    float unit[AXES], length_mm, cruise_mm_s, entry_mm_s, most_entry_mm_s;
    int line;
} move_t;

static struct {
    float position[AXES], feed_mm_s;
    int relative, inches;
    long at[AXES];
} machine = {.feed_mm_s = 20.0f};

static move_t queue[QUEUE];
static int first, count;
static unsigned long ticks, steps_done[AXES], moves, ignored;
static FILE *out;

static float least(float a, float b) {
    return a < b ? a : b;
}

/* The speed after a way at the greatest acceleration. */
static float reached(float from_mm_s, float way_mm) {
    return sqrtf(from_mm_s * from_mm_s + 2.0f * ACCELERATION_MM_S2 * way_mm);
}

/* Bresenham's algorithm over the longest axis, with the ticks of each step from the speed there. */
static void execute(const move_t *m, float exit_mm_s) {
    long most = 0, error[AXES], left;
    unsigned long begin = ticks;
    float mm_per_step, speed = m->entry_mm_s, rest = 0.0f;
    for (int a = 0; a < AXES; a++)
        if (labs(m->steps[a]) > most)
            most = labs(m->steps[a]);
    if (most == 0)
        return;
    for (int a = 0; a < AXES; a++)
        error[a] = most / 2;
    mm_per_step = m->length_mm / (float)most;
    for (left = most; left > 0; left--) {
        for (int a = 0; a < AXES; a++) {
            error[a] -= labs(m->steps[a]);
            if (error[a] < 0) {
                error[a] += most;
                machine.at[a] += m->steps[a] < 0 ? -1 : 1;
                steps_done[a]++;
            }
        }
        /* Sixteen steps have one speed: a step alone needs no root. */
        if ((left & 15) == 0) {
            float faster = reached(speed, 16.0f * mm_per_step);
            float braking = reached(exit_mm_s, (float)left * mm_per_step);
            speed = least(least(faster, m->cruise_mm_s), braking);
            if (speed < 1.0f)
                speed = 1.0f;
        }
        rest += TICK_HZ * mm_per_step / (speed < 1.0f ? 1.0f : speed);
        unsigned long whole = (unsigned long)rest;
        rest -= (float)whole;
        ticks += whole;
    }
    moves++;
    fprintf(out, "N%d %ld %ld %ld at %lu for %lu\n", m->line, machine.at[X], machine.at[Y],
            machine.at[Z], begin, ticks - begin);
}

static move_t *nth(int n) {
    return &queue[(first + n) % QUEUE];
}

/* Entries backward so that each move can still brake, then forward so that each can be reached. */
static void replan(void) {
    float next = 0.0f;
    for (int n = count - 1; n > 0; n--) {
        move_t *m = nth(n);
        m->entry_mm_s = least(m->most_entry_mm_s, reached(next, m->length_mm));
        next = m->entry_mm_s;
    }
    for (int n = 0; n + 1 < count; n++)
        nth(n + 1)->entry_mm_s =
            least(nth(n + 1)->entry_mm_s, reached(nth(n)->entry_mm_s, nth(n)->length_mm));
}

static void retire(void) {
    execute(nth(0), count > 1 ? nth(1)->entry_mm_s : 0.0f);
    first = (first + 1) % QUEUE;
    count--;
}

static void drain(void) {
    while (count)
        retire();
}

static void line_to(const float target[AXES], float feed_mm_s, int number) {
    move_t m = {.line = number, .cruise_mm_s = feed_mm_s};
    float square = 0.0f, cosine = 0.0f;
    for (int a = 0; a < AXES; a++) {
        float way = target[a] - machine.position[a];
        m.steps[a] =
            lroundf(target[a] * steps_per_mm[a]) - lroundf(machine.position[a] * steps_per_mm[a]);
        m.unit[a] = way;
        square += way * way;
    }
    if (square == 0.0f)
        return;
    m.length_mm = sqrtf(square);
    for (int a = 0; a < AXES; a++) {
        m.unit[a] /= m.length_mm;
        if (m.unit[a] != 0.0f)
            m.cruise_mm_s = least(m.cruise_mm_s, top_mm_s[a] / fabsf(m.unit[a]));
        machine.position[a] = target[a];
    }
    if (count) {
        const move_t *last = nth(count - 1);
        for (int a = 0; a < AXES; a++)
            cosine += last->unit[a] * m.unit[a];
        m.most_entry_mm_s =
            cosine <= 0.0f ? 0.0f : cosine * least(last->cruise_mm_s, m.cruise_mm_s);
    }
    if (count == QUEUE)
        retire();
    *nth(count) = m;
    count++;
    replan();
}

static void arc_to(const float target[AXES], float i, float j, int clockwise, int number) {
    float middle_x = machine.position[X] + i, middle_y = machine.position[Y] + j;
    float radius = sqrtf(i * i + j * j);
    float from = atan2f(-j, -i);
    float to = atan2f(target[Y] - middle_y, target[X] - middle_x);
    float angle = to - from, point[AXES];
    if (clockwise && angle >= 0.0f)
        angle -= 6.2831853f;
    if (!clockwise && angle <= 0.0f)
        angle += 6.2831853f;
    int parts = 1 + (int)(fabsf(angle) * radius / 1.5f);
    float z = machine.position[Z];
    for (int k = 1; k < parts; k++) {
        float part = (float)k / (float)parts;
        point[X] = middle_x + radius * cosf(from + part * angle);
        point[Y] = middle_y + radius * sinf(from + part * angle);
        point[Z] = z + part * (target[Z] - z);
        line_to(point, machine.feed_mm_s, number);
    }
    line_to(target, machine.feed_mm_s, number);
}

/* Words of a line; those of a letter that was not there keep what they had. */
static void interpret(char *line, int number) {
    float target[AXES], i = 0.0f, j = 0.0f;
    int command = -1, moved = 0;
    memcpy(target, machine.position, sizeof target);
    for (char *s = line; *s && *s != ';';) {
        char letter = (char)toupper((unsigned char)*s), *end;
        if (isspace((unsigned char)letter)) {
            s++;
            continue;
        }
        if (letter == '(') {
            s = strchr(s, ')');
            if (!s)
                break;
            s++;
            continue;
        }
        float value = strtof(s + 1, &end);
        if (end == s + 1) {
            ignored++;
            break;
        }
        s = end;
        if (machine.inches && strchr("XYZIJF", letter))
            value *= 25.4f;
        switch (letter) {
        case 'G':
            command = (int)value;
            break;
        case 'X':
        case 'Y':
        case 'Z':
            target[letter - 'X'] = value + (machine.relative ? target[letter - 'X'] : 0.0f);
            moved = 1;
            break;
        case 'I':
            i = value;
            break;
        case 'J':
            j = value;
            break;
        case 'F':
            machine.feed_mm_s = value / 60.0f;
            break;
        case 'N':
        case 'M':
        case 'S':
            break;
        default:
            ignored++;
        }
    }
    switch (command) {
    case 0:
    case 1:
        if (moved)
            line_to(target, command ? machine.feed_mm_s : top_mm_s[X], number);
        break;
    case 2:
    case 3:
        arc_to(target, i, j, command == 2, number);
        break;
    case 4:
        drain();
        ticks += (unsigned long)TICK_HZ / 2;
        break;
    case 20:
    case 21:
        machine.inches = command == 20;
        break;
    case 90:
    case 91:
        machine.relative = command == 91;
        break;
    }
}

int main(int argc, char **argv) {
    char line[80];
    int number = 0;
    FILE *in;
    if (argc != 3 || !(in = fopen(argv[1], "r")) || !(out = fopen(argv[2], "w")))
        return 1;
    while (fgets(line, sizeof line, in))
        interpret(line, ++number);
    drain();
    printf("%lu moves in %lu ticks: %lu %lu %lu steps, %lu words ignored\n", moves, ticks,
           steps_done[X], steps_done[Y], steps_done[Z], ignored);
    fclose(in);
    return fclose(out) != 0;
}
