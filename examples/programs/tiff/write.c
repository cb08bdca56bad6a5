#include <stdlib.h>
#include <string.h>

#include "tiff.h"

static void put(FILE *file, uint32_t value, int bytes) {
    for (; bytes > 0; bytes--, value >>= 8)
        putc((int)(value & 255), file);
}

static void put_entry(FILE *file, uint32_t tag, int type, uint32_t count, uint32_t value) {
    put(file, tag, 2);
    put(file, (uint32_t)type, 2);
    put(file, count, 4);
    put(file, value, 4);
}

/* One row by PackBits: runs of three and more are packed. How many bytes it takes. */
static uint32_t pack(const uint8_t *row, uint32_t bytes, uint8_t *to) {
    uint8_t *begin = to;
    uint32_t at = 0;
    while (at < bytes) {
        uint32_t run = 1, count = 0;
        while (run < 128 && at + run < bytes && row[at + run] == row[at])
            run++;
        if (run >= 3) {
            *to++ = (uint8_t)(257 - run);
            *to++ = row[at];
            at += run;
            continue;
        }
        while (count < 128 && at + count < bytes &&
               !(at + count + 2 < bytes && row[at + count] == row[at + count + 1] &&
                 row[at + count] == row[at + count + 2]))
            count++;
        *to++ = (uint8_t)(count - 1);
        memcpy(to, row + at, count);
        to += count;
        at += count;
    }
    return (uint32_t)(to - begin);
}

int tiff_write(const char *name, uint32_t width, uint32_t height, uint32_t bits, uint32_t samples,
               uint32_t compression, const uint8_t *rows) {
    uint32_t row_bytes = (width * bits * samples + 7) / 8, bytes = row_bytes * height;
    uint8_t *packed = NULL;
    FILE *file = fopen(name, "wb");
    if (file == NULL)
        return -1;
    if (compression == TIFF_PACKBITS) {
        if ((packed = malloc(bytes + bytes / 64 + 2 * height)) == NULL)
            return -1;
        bytes = 0;
        for (uint32_t y = 0; y < height; y++)
            bytes += pack(rows + y * row_bytes, row_bytes, packed + bytes);
        rows = packed;
    }
    fwrite("II*", 1, 4, file);
    put(file, 8 + bytes + bytes % 2, 4);
    fwrite(rows, 1, bytes, file);
    if (bytes % 2)
        putc(0, file);
    put(file, 9, 2);
    put_entry(file, 256, 4, 1, width);
    put_entry(file, 257, 4, 1, height);
    put_entry(file, 258, 3, 1, bits);
    put_entry(file, 259, 3, 1, compression);
    put_entry(file, 262, 3, 1, samples >= 3 ? TIFF_RGB : TIFF_BLACK_IS_ZERO);
    put_entry(file, 273, 4, 1, 8);
    put_entry(file, 277, 3, 1, samples);
    put_entry(file, 278, 4, 1, height);
    put_entry(file, 279, 4, 1, bytes);
    put(file, 0, 4);
    free(packed);
    return fclose(file);
}
