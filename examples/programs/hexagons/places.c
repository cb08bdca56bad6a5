/* Which cells of a grid of hexagons on the globe places lie in, what is around them, and how far
 * they are from one another.   places COUNT SEED RESOLUTION OUTPUT */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "h3api.h"

static uint32_t state;

static double draw(void) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) / 16777216.0;
}

static void put_cell(FILE *output, const char *before, H3Index cell) {
    fprintf(output, "%s%08lx%08lx", before, (unsigned long)(cell >> 32),
            (unsigned long)(cell & 0xFFFFFFFF));
}

/* In hundred-thousandths of a degree. */
static void put_place(FILE *output, const char *before, const LatLng *place) {
    fprintf(output, "%s%ld,%ld", before, lround(radsToDegs(place->lat) * 1e5),
            lround(radsToDegs(place->lng) * 1e5));
}

static int check(H3Error error, const char *what) {
    if (error)
        printf("%s: error %u\n", what, (unsigned)error);
    return error != E_SUCCESS;
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    int count = atoi(argv[1]), resolution = atoi(argv[3]);
    state = (uint32_t)strtoul(argv[2], NULL, 10);
    FILE *output = fopen(argv[4], "w");
    H3Index cell, parent, near[7], before = 0;
    LatLng place, centre;
    CellBoundary boundary;
    if (!output)
        return 1;
    for (int i = 0; i < count; i++) {
        double around = 0.4 * i;
        place.lat = degsToRads(48.0 + 3 * sin(around) + draw());
        place.lng = degsToRads(11.0 + 4 * cos(around) + draw());
        if (check(latLngToCell(&place, resolution, &cell), "cell") ||
            check(cellToLatLng(cell, &centre), "centre") ||
            check(cellToParent(cell, resolution - 2, &parent), "parent") ||
            check(cellToBoundary(cell, &boundary), "boundary") ||
            check(gridDisk(cell, 1, near), "disk"))
            return 1;
        put_cell(output, "", cell);
        put_cell(output, " in ", parent);
        put_place(output, " at ", &centre);
        put_place(output, " for ", &place);
        fputs(" corners", output);
        for (int corner = 0; corner < boundary.numVerts; corner++)
            put_place(output, " ", &boundary.verts[corner]);
        fputs(" near", output);
        for (int k = 0; k < 7; k++)
            if (near[k] && near[k] != cell)
                put_cell(output, " ", near[k]);
        int64_t steps;
        if (before && gridDistance(before, cell, &steps) == E_SUCCESS)
            fprintf(output, " steps %d", (int)steps);
        fputc('\n', output);
        before = cell;
    }
    printf("%d places, resolution %d\n", count, getResolution(cell));
    return fclose(output) != 0;
}
