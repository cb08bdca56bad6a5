/* A robot makes a map: its laser's beams lower the odds of what they pass and raise those of what
 * they hit. Then how far each place is from the next wall, in steps of five and seven.
 * floorplan SCANS MAP DISTANCES */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 96
#define CELL_MM 100
#define BEAMS 60
#define RANGE_MM 4000
#define HIT 9
#define PASSED -2
#define MOST_ODDS 60
#define SURE 12
#define FAR 255

static int8_t odds[SIDE][SIDE];
static uint8_t distances[SIDE][SIDE];

static void add(int x, int y, int change) {
    if (x < 0 || y < 0 || x >= SIDE || y >= SIDE)
        return;
    int now = odds[y][x] + change;
    if (now > MOST_ODDS)
        now = MOST_ODDS;
    if (now < -MOST_ODDS)
        now = -MOST_ODDS;
    odds[y][x] = (int8_t)now;
}

/* All cells between two, without the last one. */
static void pass(int x, int y, int to_x, int to_y) {
    int dx = abs(to_x - x), dy = -abs(to_y - y), error = dx + dy;
    int step_x = x < to_x ? 1 : -1, step_y = y < to_y ? 1 : -1;
    while (x != to_x || y != to_y) {
        add(x, y, PASSED);
        int twice = 2 * error;
        if (twice >= dy) {
            error += dy;
            x += step_x;
        }
        if (twice <= dx) {
            error += dx;
            y += step_y;
        }
    }
}

static int cell(double mm) {
    return (int)floor(mm / CELL_MM);
}

static void scan(int x_mm, int y_mm, int heading_mrad, const int *ranges_mm) {
    for (int beam = 0; beam < BEAMS; beam++) {
        int range = ranges_mm[beam] < RANGE_MM ? ranges_mm[beam] : RANGE_MM;
        double angle = heading_mrad / 1000.0 + beam * (2 * M_PI / BEAMS);
        int x = cell(x_mm + range * cos(angle)), y = cell(y_mm + range * sin(angle));
        pass(cell(x_mm), cell(y_mm), x, y);
        if (ranges_mm[beam] < RANGE_MM)
            add(x, y, HIT);
    }
}

static uint8_t least(int a, int b) {
    return (uint8_t)(a < b ? a : b > FAR ? FAR : b);
}

/* Twice over the map: what lies above and left, then what lies below and right. */
static void measure(void) {
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            distances[y][x] = odds[y][x] >= SURE ? 0 : FAR;
    for (int y = 1; y < SIDE; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            uint8_t *at = &distances[y][x];
            *at = least(*at, at[-1] + 5);
            *at = least(*at, at[-SIDE] + 5);
            *at = least(*at, at[-SIDE - 1] + 7);
            *at = least(*at, at[-SIDE + 1] + 7);
        }
    for (int y = SIDE - 2; y >= 0; y--)
        for (int x = SIDE - 2; x > 0; x--) {
            uint8_t *at = &distances[y][x];
            *at = least(*at, at[1] + 5);
            *at = least(*at, at[SIDE] + 5);
            *at = least(*at, at[SIDE + 1] + 7);
            *at = least(*at, at[SIDE - 1] + 7);
        }
}

int main(int argc, char **argv) {
    int x, y, heading, ranges[BEAMS], scans = 0, walls = 0, floors = 0;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *map = fopen(argv[2], "wb"), *away = fopen(argv[3], "wb");
    if (!input || !map || !away)
        return 1;
    while (fscanf(input, "%d %d %d", &x, &y, &heading) == 3) {
        for (int beam = 0; beam < BEAMS; beam++)
            if (fscanf(input, "%d", &ranges[beam]) != 1)
                return 1;
        scan(x, y, heading, ranges);
        scans++;
    }
    measure();
    for (y = 0; y < SIDE; y++)
        for (x = 0; x < SIDE; x++) {
            walls += odds[y][x] >= SURE;
            floors += odds[y][x] <= -SURE;
        }
    fwrite(odds, 1, sizeof odds, map);
    fprintf(away, "P5\n%d %d\n255\n", SIDE, SIDE);
    fwrite(distances, 1, sizeof distances, away);
    printf("%d scans, %d walls, %d floors\n", scans, walls, floors);
    fclose(input);
    fclose(map);
    return fclose(away) != 0;
}
