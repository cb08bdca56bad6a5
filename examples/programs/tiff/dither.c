/* Makes a grey TIFF black and white by Floyd and Steinberg's method, packed.   dither INPUT OUTPUT
 */
#include <stdlib.h>
#include <string.h>

#include "tiff.h"

int main(int argc, char **argv) {
    struct tiff tiff;
    if (argc != 3)
        return 2;
    if (tiff_open(&tiff, argv[1]) || tiff.bits != 8 || tiff.samples != 1) {
        fprintf(stderr, "%s: no grey TIFF\n", argv[1]);
        return 1;
    }
    uint32_t width = tiff.width, to_bytes = (width + 7) / 8;
    uint8_t *strip = malloc(width * tiff.rows_per_strip);
    uint8_t *result = calloc(to_bytes, tiff.height), *to = result;
    /* Errors of this row and the next, with a column more at both ends. */
    int *errors = calloc(2 * (width + 2), sizeof *errors);
    if (strip == NULL || result == NULL || errors == NULL)
        return 1;
    int *here = errors + 1, *below = errors + width + 3;
    for (uint32_t i = 0; i < tiff.strips; i++) {
        int rows = tiff_read_strip(&tiff, i, strip);
        if (rows < 0)
            return 1;
        for (int y = 0; y < rows; y++, to += to_bytes) {
            const uint8_t *row = strip + (uint32_t)y * width;
            for (uint32_t x = 0; x < width; x++) {
                int value = row[x] + here[x] / 16;
                int error = value < 128 ? value : value - 255;
                if (value >= 128)
                    to[x / 8] |= (uint8_t)(0x80 >> x % 8);
                here[x + 1] += 7 * error;
                below[(int)x - 1] += 3 * error;
                below[x] += 5 * error;
                below[x + 1] += error;
            }
            int *kept = here;
            here = below;
            below = kept;
            memset(below - 1, 0, (width + 2) * sizeof *below);
        }
    }
    int failed = tiff_write(argv[2], width, tiff.height, 1, 1, TIFF_PACKBITS, result);
    tiff_close(&tiff);
    free(strip);
    free(result);
    free(errors);
    return failed;
}
