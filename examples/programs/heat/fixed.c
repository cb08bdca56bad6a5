/* The temperature of a heated plate, by relaxation in fixed point with 16 bits behind the point.
 * fixed SIZE SWEEPS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int32_t fixed;

static fixed times(fixed a, fixed b) {
    return (fixed)((int64_t)a * b >> 16);
}

static fixed divided(fixed a, fixed b) {
    return (fixed)(((int64_t)a << 16) / b);
}

int main(int argc, char **argv) {
    int size = argc == 4 ? atoi(argv[1]) : 0, sweeps = argc == 4 ? atoi(argv[2]) : 0;
    if (size < 4)
        return 2;
    fixed *plate = calloc((size_t)size * (size_t)size, sizeof *plate);
    FILE *output = fopen(argv[3], "w");
    if (plate == NULL || output == NULL)
        return 1;
    for (int i = 0; i < size; i++) {
        plate[i] = 100 << 16;
        plate[i * size] = divided(i << 16, 3 << 16);
    }
    const fixed eager = divided(185 << 16, 100 << 16);
    int sweep = 0;
    for (; sweep < sweeps; sweep++) {
        fixed greatest = 0;
        for (int y = 1; y < size - 1; y++)
            for (int x = 1; x < size - 1; x++) {
                fixed *at = plate + y * size + x;
                fixed change = times(eager, ((at[-1] + at[1] + at[-size] + at[size]) >> 2) - *at);
                *at += change;
                if (abs(change) > greatest)
                    greatest = abs(change);
            }
        if (greatest < 256)
            break;
    }
    for (int y = 0; y < size; y += 2) {
        for (int x = 0; x < size; x += 2) {
            fixed one = plate[y * size + x];
            fprintf(output, "%4d.%02d", (int)(one >> 16), (int)((one & 0xFFFF) * 100 >> 16));
        }
        fputc('\n', output);
    }
    printf("%d sweeps, in the middle %d\n", sweep, (int)(plate[size * size / 2 + size / 2] >> 16));
    free(plate);
    return fclose(output) != 0;
}
