/* How full is a battery of four cells? Counts the charge, corrects it by a filter of the voltage,
 * and balances the cells; all in integers.   gauge SAMPLES OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CELLS 4
#define ONE 65536
#define CAPACITY_MAS (2400LL * 3600)

typedef struct {
    int32_t charge;      /* of one, 1/65,536 */
    int32_t variance;    /* of the charge, in its own units */
    int32_t resistance;  /* in milliohms, 1/256 */
    int32_t relaxing_uv; /* the part of the voltage that comes back slowly */
    unsigned bleeding, bled;
} cell_t;

/* Millivolts of a cell at rest, by sixteenths of its charge. */
static const int16_t rest_mv[17] = {3000, 3270, 3450, 3540, 3590, 3620, 3650, 3680, 3715,
                                    3755, 3800, 3850, 3905, 3960, 4020, 4090, 4180};

static int32_t voltage_of(int32_t charge, int32_t *slope) {
    int32_t at = charge < 0 ? 0 : charge >= ONE ? ONE - 1 : charge;
    int32_t part = at >> 12, rest = at & 4095;
    *slope = (rest_mv[part + 1] - rest_mv[part]) * 16;
    return rest_mv[part] + (*slope * rest >> 16);
}

/* One second: `milliamps` are those that charge. */
static void step(cell_t *cell, int32_t milliamps, int32_t millivolts) {
    int32_t slope;
    int64_t moved = (int64_t)(milliamps - (cell->bleeding ? 40 : 0)) * ONE * 256 / CAPACITY_MAS;
    cell->charge += (int32_t)((moved + 128) >> 8);
    cell->relaxing_uv += (milliamps * 12 - cell->relaxing_uv) / 30;
    cell->variance += 4;
    int32_t said = voltage_of(cell->charge, &slope);
    int32_t wanted =
        said + (int32_t)((int64_t)milliamps * cell->resistance / 256000) + cell->relaxing_uv / 1000;
    int32_t missed = millivolts - wanted;
    int64_t spread = (int64_t)cell->variance * slope, gain;
    gain = (spread >> 8) / (((spread >> 16) * slope >> 16) + 400);
    cell->charge += (int32_t)(gain * missed >> 8);
    cell->variance -= (int32_t)(gain * slope * cell->variance >> 24);
    if (cell->variance < 1)
        cell->variance = 1;
    if (milliamps > 800 || milliamps < -800)
        cell->resistance += missed * 256 / (milliamps / 8);
    if (cell->resistance < 10 * 256)
        cell->resistance = 10 * 256;
}

static void balance(cell_t *cells) {
    int32_t least = INT32_MAX;
    for (int i = 0; i < CELLS; i++)
        if (cells[i].charge < least)
            least = cells[i].charge;
    for (int i = 0; i < CELLS; i++) {
        cells[i].bleeding = cells[i].charge - least > ONE / 50;
        cells[i].bled += cells[i].bleeding;
    }
}

int main(int argc, char **argv) {
    cell_t cells[CELLS];
    char line[80];
    unsigned seconds = 0, alarms = 0;
    int64_t energy_uws = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    for (int i = 0; i < CELLS; i++)
        cells[i] = (cell_t){ONE / 2, 9700 * 10000, 40 * 256, 0, 0, 0};
    while (fgets(line, sizeof line, input)) {
        int milliamps, millivolts[CELLS];
        if (sscanf(line, "%d %d %d %d %d", &milliamps, &millivolts[0], &millivolts[1],
                   &millivolts[2], &millivolts[3]) != 5) {
            alarms++;
            continue;
        }
        for (int i = 0; i < CELLS; i++) {
            step(&cells[i], milliamps, millivolts[i]);
            energy_uws += (int64_t)milliamps * millivolts[i];
        }
        balance(cells);
        if (++seconds % 20 == 0) {
            fprintf(output, "%u", seconds);
            for (int i = 0; i < CELLS; i++)
                fprintf(output, " %ld.%ld%c", (long)cells[i].charge * 100 / ONE,
                        (long)cells[i].charge * 1000 / ONE % 10, cells[i].bleeding ? '*' : ' ');
            fputc('\n', output);
        }
    }
    printf("%u s, %u lines wrong, %ld mWs\n", seconds, alarms, (long)(energy_uws / 1000));
    for (int i = 0; i < CELLS; i++)
        printf("cell %d: %ld milliohms, bled for %u s\n", i, (long)cells[i].resistance / 256,
               cells[i].bled);
    fclose(input);
    return fclose(output) != 0;
}
