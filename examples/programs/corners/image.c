#include "image.h"

#include <stdio.h>
#include <stdlib.h>

int image_make(struct image *image, int width, int height) {
    image->width = width;
    image->height = height;
    image->pixels = calloc((size_t)width, (size_t)height);
    return image->pixels == NULL;
}

int image_read(struct image *image, const char *name) {
    FILE *file = fopen(name, "rb");
    int width, height, most, failed = 1;
    if (file == NULL)
        return 1;
    if (fscanf(file, "P5 %d %d %d", &width, &height, &most) == 3 && most == 255 &&
        getc(file) != EOF && image_make(image, width, height) == 0)
        failed = fread(image->pixels, (size_t)width, (size_t)height, file) != (size_t)height;
    fclose(file);
    return failed;
}

int image_write(const struct image *image, const char *name) {
    FILE *file = fopen(name, "wb");
    if (file == NULL)
        return 1;
    fprintf(file, "P5\n%d %d\n255\n", image->width, image->height);
    fwrite(image->pixels, (size_t)image->width, (size_t)image->height, file);
    return fclose(file) != 0;
}
