/* Makes an image of red, green, blue and opacity of any baseline TIFF.   rgba INPUT OUTPUT */
#include <stdlib.h>

#include "tiff.h"

static void convert(const struct tiff *tiff, const uint8_t *row, uint8_t *to) {
    uint32_t colours = 1u << tiff->bits;
    for (uint32_t x = 0; x < tiff->width; x++, to += 4) {
        uint32_t value;
        switch (tiff->photometric) {
        case TIFF_RGB:
            to[0] = row[tiff->samples * x];
            to[1] = row[tiff->samples * x + 1];
            to[2] = row[tiff->samples * x + 2];
            break;
        case TIFF_PALETTE:
            value = tiff->bits == 8 ? row[x] : x % 2 ? row[x / 2] & 15 : row[x / 2] >> 4;
            to[0] = (uint8_t)(tiff->colours[value] >> 8);
            to[1] = (uint8_t)(tiff->colours[colours + value] >> 8);
            to[2] = (uint8_t)(tiff->colours[2 * colours + value] >> 8);
            break;
        default:
            value = tiff->bits == 8 ? row[x] : row[x / 8] & 0x80 >> x % 8 ? 255 : 0;
            to[0] = to[1] = to[2] = (uint8_t)(tiff->photometric ? value : 255 - value);
        }
        to[3] = 255;
    }
}

int main(int argc, char **argv) {
    struct tiff tiff;
    if (argc != 3)
        return 2;
    if (tiff_open(&tiff, argv[1])) {
        fprintf(stderr, "%s: no TIFF that this program can read\n", argv[1]);
        return 1;
    }
    uint32_t row_bytes = tiff_row_bytes(&tiff);
    uint8_t *strip = malloc(row_bytes * tiff.rows_per_strip);
    uint8_t *rgba = malloc(4 * tiff.width * tiff.height), *to = rgba;
    if (strip == NULL || rgba == NULL)
        return 1;
    for (uint32_t i = 0; i < tiff.strips; i++) {
        int rows = tiff_read_strip(&tiff, i, strip);
        if (rows < 0)
            return 1;
        for (int y = 0; y < rows; y++, to += 4 * tiff.width)
            convert(&tiff, strip + (uint32_t)y * row_bytes, to);
    }
    int failed = tiff_write(argv[2], tiff.width, tiff.height, 8, 4, TIFF_NONE, rgba);
    printf("%lu x %lu\n", (unsigned long)tiff.width, (unsigned long)tiff.height);
    tiff_close(&tiff);
    free(strip);
    free(rgba);
    return failed;
}
