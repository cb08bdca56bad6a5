/* The temperature of a heated plate, by conjugate gradients in single precision.
 * floating SIZE OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int size;

/* Minus the sum of the neighbours plus four times the point itself; cold outside. */
static void apply(const float *from, float *to) {
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            int at = y * size + x;
            float sum = 4.0f * from[at];
            if (x > 0)
                sum -= from[at - 1];
            if (x < size - 1)
                sum -= from[at + 1];
            if (y > 0)
                sum -= from[at - size];
            if (y < size - 1)
                sum -= from[at + size];
            to[at] = sum;
        }
}

static float product(const float *a, const float *b) {
    float sum = 0;
    for (int i = 0; i < size * size; i++)
        sum += a[i] * b[i];
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 3 || (size = atoi(argv[1])) < 3)
        return 2;
    size_t points = (size_t)size * (size_t)size;
    float *found = calloc(points, sizeof *found), *rest = calloc(points, sizeof *rest);
    float *direction = malloc(points * sizeof *direction), *image = malloc(points * sizeof *image);
    FILE *output = fopen(argv[2], "w");
    if (!found || !rest || !direction || !image || !output)
        return 1;
    rest[(size / 2) * size + size / 3] = 100.0f;
    rest[(size / 4) * size + size - 2] = -40.0f;
    for (size_t i = 0; i < points; i++)
        direction[i] = rest[i];
    float before = product(rest, rest);
    int steps = 0;
    for (; steps < 200 && sqrtf(before) > 0.01f; steps++) {
        apply(direction, image);
        float step = before / product(direction, image);
        for (size_t i = 0; i < points; i++) {
            found[i] += step * direction[i];
            rest[i] -= step * image[i];
        }
        float after = product(rest, rest);
        for (size_t i = 0; i < points; i++)
            direction[i] = rest[i] + after / before * direction[i];
        before = after;
    }
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++)
            fprintf(output, "%7d", (int)(100.0f * found[y * size + x]));
        fputc('\n', output);
    }
    printf("%d steps\n", steps);
    free(found);
    free(rest);
    free(direction);
    free(image);
    return fclose(output) != 0;
}
