/* Where is the robot? Many guesses follow its wheels; those that fit its beacons' distances live
 * on.   locate GUESSES LOG OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BEACONS 4
#define PI 3.14159265358979323846

typedef struct {
    double x, y, heading, weight;
} guess_t;

typedef struct {
    double x, y;
} place_t;

static const place_t beacons[BEACONS] = {{0, 0}, {10, 0}, {10, 8}, {0, 8}};
static uint64_t state = 88172645463325252ull;

static double uniform(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (double)(state >> 40) / 16777216.0;
}

/* Nearly normal: a sum of six. */
static double normal(double spread) {
    double sum = -3;
    for (int i = 0; i < 6; i++)
        sum += uniform();
    return sum * 1.4142135623730951 * spread;
}

static double wrapped(double angle) {
    while (angle > PI)
        angle -= 2 * PI;
    while (angle < -PI)
        angle += 2 * PI;
    return angle;
}

static void move(guess_t *guess, double forward, double turn) {
    double way = forward + normal(0.03);
    guess->heading = wrapped(guess->heading + turn + normal(0.02));
    guess->x += way * cos(guess->heading);
    guess->y += way * sin(guess->heading);
}

static double fit(const guess_t *guess, const double *distances) {
    double squares = 0;
    for (int i = 0; i < BEACONS; i++) {
        double dx = guess->x - beacons[i].x, dy = guess->y - beacons[i].y;
        double missed;
        if (distances[i] < 0)
            continue;
        missed = sqrt(dx * dx + dy * dy) - distances[i];
        squares += missed * missed;
    }
    return exp(-squares / (2 * 0.15 * 0.15)) + 1e-12;
}

static void resample(guess_t *guesses, guess_t *spare, int count, double total) {
    double step = total / count, wanted = uniform() * step, sum = guesses[0].weight;
    int from = 0;
    for (int i = 0; i < count; i++) {
        while (sum < wanted && from < count - 1)
            sum += guesses[++from].weight;
        spare[i] = guesses[from];
        wanted += step;
    }
    for (int i = 0; i < count; i++) {
        guesses[i] = spare[i];
        guesses[i].weight = 1;
    }
}

int main(int argc, char **argv) {
    char line[100];
    int steps = 0, resampled = 0, lines = 0, blind = 0;
    if (argc != 4)
        return 2;
    int count = atoi(argv[1]);
    FILE *input = fopen(argv[2], "r"), *output = fopen(argv[3], "w");
    guess_t *guesses = malloc((size_t)count * sizeof *guesses);
    guess_t *spare = malloc((size_t)count * sizeof *spare);
    if (!input || !output || !guesses || !spare || count < 1)
        return 1;
    for (int i = 0; i < count; i++)
        guesses[i] = (guess_t){2 + normal(0.3), 2 + normal(0.3), normal(0.2), 1};
    while (fgets(line, sizeof line, input)) {
        int forward_mm, turn_mrad, distances_mm[BEACONS];
        double distances[BEACONS], total = 0, squares = 0, x = 0, y = 0;
        double sine = 0, cosine = 0;
        lines++;
        int fields = sscanf(line, "%d %d %d %d %d %d", &forward_mm, &turn_mrad, &distances_mm[0],
                            &distances_mm[1], &distances_mm[2], &distances_mm[3]);
        if (fields < 2)
            continue;
        blind += fields < 6;
        for (int i = 0; i < BEACONS; i++)
            distances[i] = i < fields - 2 ? distances_mm[i] * 1e-3 : -1;
        for (int i = 0; i < count; i++) {
            guess_t *guess = &guesses[i];
            move(guess, forward_mm * 1e-3, turn_mrad * 1e-3);
            guess->weight *= fit(guess, distances);
            total += guess->weight;
            squares += guess->weight * guess->weight;
        }
        for (int i = 0; i < count; i++) {
            double share = guesses[i].weight / total;
            x += share * guesses[i].x;
            y += share * guesses[i].y;
            sine += share * sin(guesses[i].heading);
            cosine += share * cos(guesses[i].heading);
        }
        fprintf(output, "%d %ld %ld %ld\n", lines, lround(x * 100), lround(y * 100),
                lround(atan2(sine, cosine) * 180 / PI));
        if (total * total / squares < count / 2.0) {
            resample(guesses, spare, count, total);
            resampled++;
        } else
            for (int i = 0; i < count; i++)
                guesses[i].weight /= total / count;
        steps++;
    }
    printf("%d steps of %d lines, %d blind, %d times drawn anew\n", steps, lines, blind, resampled);
    free(guesses);
    free(spare);
    fclose(input);
    return fclose(output) != 0;
}
