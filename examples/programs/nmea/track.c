/* Follows a receiver of satellites by its NMEA sentences, and writes each fix and a summary.
 * track INPUT OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 24
#define EARTH_RADIUS_M 6371000.0
#define PER_DEGREE (3.14159265358979323846 / 180.0)

typedef struct {
    double latitude, longitude, altitude_m;
    int valid, satellites;
    float hdop;
} fix_t;

typedef struct {
    unsigned sentences, corrupt, unknown, fixes;
    double distance_m;
    float top_knots;
    int in_view, strongest;
} tally_t;

typedef void (*handler_t)(char **field, int count);

static fix_t fix, before;
static tally_t tally;
static FILE *out;

static int checksum_holds(const char *s) {
    unsigned char sum = 0;
    if (*s++ != '$')
        return 0;
    while (*s && *s != '*')
        sum ^= (unsigned char)*s++;
    return *s == '*' && strtoul(s + 1, NULL, 16) == sum;
}

static int split(char *s, char **field) {
    int count = 0;
    field[count++] = s;
    for (; *s && *s != '*'; s++)
        if (*s == ',') {
            *s = '\0';
            if (count < MAX_FIELDS)
                field[count++] = s + 1;
        }
    *s = '\0';
    return count;
}

/* ddmm.mmmm and a letter, in degrees */
static double degrees(const char *value, const char *side) {
    double raw = atof(value);
    int whole = (int)(raw / 100.0);
    double angle = whole + (raw - 100.0 * whole) / 60.0;
    return *side == 'S' || *side == 'W' ? -angle : angle;
}

static void on_gga(char **field, int count) {
    if (count < 10 || *field[6] == '0') {
        fix.valid = 0;
        return;
    }
    before = fix;
    fix.latitude = degrees(field[2], field[3]);
    fix.longitude = degrees(field[4], field[5]);
    fix.satellites = atoi(field[7]);
    fix.hdop = strtof(field[8], NULL);
    fix.altitude_m = atof(field[9]);
    fix.valid = 1;
    tally.fixes++;
    if (before.valid) {
        double north = (fix.latitude - before.latitude) * PER_DEGREE;
        double east =
            (fix.longitude - before.longitude) * PER_DEGREE * cos(fix.latitude * PER_DEGREE);
        tally.distance_m += EARTH_RADIUS_M * sqrt(north * north + east * east);
    }
    fprintf(out, "%.2s:%.2s:%.2s %10ld %11ld %6ld dm %2d %ld\n", field[1], field[1] + 2,
            field[1] + 4, lround(1e6 * fix.latitude), lround(1e6 * fix.longitude),
            lround(10.0 * fix.altitude_m), fix.satellites, lroundf(10.0f * fix.hdop));
}

static void on_rmc(char **field, int count) {
    if (count < 9 || *field[2] != 'A')
        return;
    float knots = strtof(field[7], NULL);
    if (knots > tally.top_knots)
        tally.top_knots = knots;
}

static void on_gsv(char **field, int count) {
    if (count < 4)
        return;
    tally.in_view = atoi(field[3]);
    for (int i = 7; i < count; i += 4)
        if (atoi(field[i]) > tally.strongest)
            tally.strongest = atoi(field[i]);
}

static const struct {
    char type[4];
    handler_t handler;
} handlers[] = {{"GGA", on_gga}, {"RMC", on_rmc}, {"GSV", on_gsv}};

int main(int argc, char **argv) {
    char line[100], *field[MAX_FIELDS];
    FILE *in;
    if (argc != 3 || !(in = fopen(argv[1], "r")) || !(out = fopen(argv[2], "w")))
        return 1;
    while (fgets(line, sizeof line, in)) {
        size_t i;
        tally.sentences++;
        if (!checksum_holds(line)) {
            tally.corrupt++;
            continue;
        }
        int count = split(line, field);
        for (i = 0; i < sizeof handlers / sizeof handlers[0]; i++)
            if (strlen(field[0]) == 6 && !memcmp(field[0] + 3, handlers[i].type, 3)) {
                handlers[i].handler(field, count);
                break;
            }
        tally.unknown += i == sizeof handlers / sizeof handlers[0];
    }
    printf("%u sentences, %u corrupt, %u unknown, %u fixes\n", tally.sentences, tally.corrupt,
           tally.unknown, tally.fixes);
    printf("%ld m, at most %ld tenths of a knot, %d in view, %d dB\n", lround(tally.distance_m),
           lroundf(10.0f * tally.top_knots), tally.in_view, tally.strongest);
    fclose(in);
    return fclose(out) != 0;
}
