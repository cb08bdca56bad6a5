/* Legs along a border, the middle of each, and what the border encloses, on the ellipsoid of
 * WGS 84. survey POINTS OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "geodesic.h"

#define MOST 64

/* A board's printf() has no floating point. */
static void put(FILE *to, double value, int places) {
    long power = 1, scaled, rest;
    for (int i = 0; i < places; i++)
        power *= 10;
    scaled = lround(fabs(value) * (double)power);
    rest = scaled % power;
    fprintf(to, " %s%ld.%0*ld", value < 0 ? "-" : "", scaled / power, places, rest);
}

int main(int argc, char **argv) {
    static double places[MOST][2];
    struct geod_geodesic earth;
    struct geod_polygon border;
    char line[80];
    double total_m = 0, area_m2, length_m;
    int count = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (count < MOST && fgets(line, sizeof line, input)) {
        char *rest;
        places[count][0] = strtod(line, &rest);
        places[count++][1] = strtod(rest, NULL);
    }
    geod_init(&earth, 6378137, 1 / 298.257223563);
    geod_polygon_init(&border, 0);
    for (int i = 0; i < count; i++) {
        const double *from = places[i], *to = places[(i + 1) % count];
        double length, there, back, middle[2];
        geod_inverse(&earth, from[0], from[1], to[0], to[1], &length, &there, &back);
        geod_direct(&earth, from[0], from[1], there, length / 2, &middle[0], &middle[1], NULL);
        fprintf(output, "%d:", i);
        put(output, length, 3);
        put(output, there, 6);
        put(output, back, 6);
        put(output, middle[0], 7);
        put(output, middle[1], 7);
        fputc('\n', output);
        geod_polygon_addpoint(&earth, &border, from[0], from[1]);
        total_m += length;
    }
    geod_polygon_compute(&earth, &border, 0, 1, &area_m2, &length_m);
    printf("%d legs:", count);
    put(stdout, total_m, 2);
    put(stdout, length_m, 2);
    put(stdout, area_m2 / 1e6, 4);
    putchar('\n');
    fclose(input);
    return fclose(output) != 0;
}
