/* Grey images as files (PGM, binary). */
#ifndef IMAGE_H
#define IMAGE_H

#include <stdint.h>

struct image {
    int width, height;
    uint8_t *pixels;
};

/* 0 if it can. */
int image_read(struct image *image, const char *name);
int image_write(const struct image *image, const char *name);
int image_make(struct image *image, int width, int height);

#endif
