/* Where the sun, the moon and the planets stand in the sky of a place, every few hours.
 * Angles are in minutes of arc.   ephemeris LATITUDE LONGITUDE STEPS */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "erfa.h"
#include "erfam.h"

#define START_JD 2461041.5 /* The first of January 2026. */
#define STEP_DAYS 0.37

static const char *const NAMES[] = {"Mercury", "Venus", "Earth", "Mars", "Jupiter", "Saturn"};

static void horizontal(const double direction[3], double turned, double latitude, double *azimuth,
                       double *altitude) {
    double right, declination;
    eraC2s((double *)direction, &right, &declination);
    eraHd2ae(eraAnpm(turned - right), declination, latitude, azimuth, altitude);
    *azimuth = eraAnp(*azimuth);
}

static long minutes(double angle) {
    return lround(angle * ERFA_DR2D * 60);
}

static int planet(double day, int number, const double earth[3], double direction[3]) {
    double state[2][3], length;
    if (eraPlan94(ERFA_DJ00, day, number, state) < 0)
        return -1;
    for (int i = 0; i < 3; i++)
        direction[i] = state[0][i] - earth[i];
    eraPn(direction, &length, direction);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    double latitude = atof(argv[1]) * ERFA_DD2R, east = atof(argv[2]) * ERFA_DD2R;
    int steps = atoi(argv[3]), risen = 0;

    for (int step = 0; step < steps; step++) {
        double day = START_JD - ERFA_DJ00 + STEP_DAYS * step, matrix[3][3], azimuth, altitude;
        double earth[2][3], seen[3], dpsi, deps, height;
        int year, month, dom;
        double rest;

        eraJd2cal(ERFA_DJ00, day, &year, &month, &dom, &rest);
        eraNut00b(ERFA_DJ00, day, &dpsi, &deps);
        eraPmat06(ERFA_DJ00, day, matrix);
        double turned = eraGmst06(ERFA_DJ00, day, ERFA_DJ00, day) + east;
        turned += dpsi * cos(eraObl06(ERFA_DJ00, day));
        printf("%04d-%02d-%02d.%02d", year, month, dom, (int)(rest * 100 + 0.5));
        if (eraPlan94(ERFA_DJ00, day, 3, earth) < 0)
            return 1;
        for (int number = 1; number <= 6; number++) {
            if (number == 3) {
                for (int i = 0; i < 3; i++)
                    seen[i] = -earth[0][i];
                eraPn(seen, &height, seen);
            } else if (planet(day, number, earth[0], seen)) {
                return 1;
            }
            eraRxp(matrix, seen, seen);
            horizontal(seen, turned, latitude, &azimuth, &altitude);
            risen += altitude > 0;
            printf(" %s %ld %+ld", number == 3 ? "Sun" : NAMES[number - 1], minutes(azimuth),
                   minutes(altitude));
        }
        putchar('\n');
    }
    printf("%d above the horizon\n", risen);
    return 0;
}
