/* Sorts points by their distance from the origin.   qsort_points INPUT OUTPUT
 *
 * Each line of the input has three integers. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct point {
    int32_t x, y, z;
    int64_t square; /* of the distance */
};

static int nearer(const void *one, const void *other) {
    const struct point *a = one, *b = other;
    if (a->square != b->square)
        return a->square < b->square ? -1 : 1;
    if (a->x != b->x)
        return a->x < b->x ? -1 : 1;
    return (a->y > b->y) - (a->y < b->y);
}

static struct point *read_points(FILE *input, size_t *count) {
    struct point *points = NULL;
    size_t room = 0;
    char line[80];
    *count = 0;
    while (fgets(line, sizeof line, input)) {
        char *rest = line;
        struct point *last;
        if (*count == room) {
            room = room ? 2 * room : 64;
            struct point *more = realloc(points, room * sizeof *points);
            if (more == NULL) {
                free(points);
                return NULL;
            }
            points = more;
        }
        last = &points[(*count)++];
        last->x = (int32_t)strtol(rest, &rest, 10);
        last->y = (int32_t)strtol(rest, &rest, 10);
        last->z = (int32_t)strtol(rest, &rest, 10);
        last->square =
            (int64_t)last->x * last->x + (int64_t)last->y * last->y + (int64_t)last->z * last->z;
    }
    return points;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    size_t count;
    if (input == NULL || output == NULL)
        return 1;
    struct point *points = read_points(input, &count);
    if (points == NULL)
        return 1;
    qsort(points, count, sizeof *points, nearer);
    for (size_t i = 0; i < count; i++)
        fprintf(output, "%ld %ld %ld\n", (long)points[i].x, (long)points[i].y, (long)points[i].z);
    free(points);
    fclose(input);
    return fclose(output);
}
