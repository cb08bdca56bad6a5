/* TIFF 6.0, baseline: one image in strips, without compression or with PackBits, little endian. */
#ifndef TIFF_H
#define TIFF_H

#include <stdint.h>
#include <stdio.h>

enum { TIFF_NONE = 1, TIFF_PACKBITS = 32773 };
enum { TIFF_BLACK_IS_ZERO = 1, TIFF_RGB = 2, TIFF_PALETTE = 3 };

struct tiff {
    FILE *file;
    uint32_t width, height, bits, samples, compression, photometric;
    uint32_t rows_per_strip, strips;
    uint32_t *offsets, *byte_counts;
    uint16_t *colours; /* red, green, blue of each index, one table after the other */
    uint8_t *packed;   /* a strip as it is in the file */
};

/* 0 if it can. */
int tiff_open(struct tiff *tiff, const char *name);
/* Bytes of one row, unpacked. */
uint32_t tiff_row_bytes(const struct tiff *tiff);
/* Rows of a strip, unpacked into `rows`; how many there are, -1 if it is damaged. */
int tiff_read_strip(struct tiff *tiff, uint32_t strip, uint8_t *rows);
void tiff_close(struct tiff *tiff);

/* Writes a file with one strip, packed or not. 0 if it can. */
int tiff_write(const char *name, uint32_t width, uint32_t height, uint32_t bits, uint32_t samples,
               uint32_t compression, const uint8_t *rows);

#endif
