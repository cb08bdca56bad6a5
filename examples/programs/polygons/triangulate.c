/* Cuts fields with ponds in them into triangles, for a map that draws nothing else.
 * triangulate OUTLINES OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tesselator.h"

#define CORNERS 64

static FILE *output;

/* In hundredths: a board's printf() has no floating point. */
static void put(const float *place) {
    fprintf(output, "%ld %ld ", lroundf(100 * place[0]), lroundf(100 * place[1]));
}

int main(int argc, char **argv) {
    static float corners[2 * CORNERS];
    static char line[1024];
    int fields = 0, triangles = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        TESStesselator *cutter = tessNewTess(NULL);
        if (!cutter)
            return 1;
        for (int rings = atoi(line); rings > 0 && fgets(line, sizeof line, input); rings--) {
            char *at = line;
            int count = (int)strtol(at, &at, 10);
            for (int i = 0; i < 2 * count && i < 2 * CORNERS; i++)
                corners[i] = strtof(at, &at);
            tessAddContour(cutter, 2, corners, 2 * sizeof(float), count);
        }
        if (!tessTesselate(cutter, TESS_WINDING_ODD, TESS_POLYGONS, 3, 2, NULL))
            return 1;
        const float *places = tessGetVertices(cutter);
        const int *elements = tessGetElements(cutter);
        double area = 0;
        fprintf(output, "field %d\n", fields++);
        for (int i = 0; i < tessGetElementCount(cutter); i++, triangles++) {
            const float *a = places + 2 * elements[3 * i], *b = places + 2 * elements[3 * i + 1],
                        *c = places + 2 * elements[3 * i + 2];
            area += ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
            put(a);
            put(b);
            put(c);
            fputc('\n', output);
        }
        fprintf(output, "area %ld\n", lround(10 * area));
        tessDeleteTess(cutter);
    }
    printf("%d fields, %d triangles\n", fields, triangles);
    fclose(input);
    return fclose(output) != 0;
}
