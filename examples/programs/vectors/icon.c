/* Draws a symbol of a device's display, anti-aliased, on its white ground.
 * icon SYMBOL PIXELS OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nanosvg.h"
#include "nanosvgrast.h"

int main(int argc, char **argv) {
    static char text[16384];
    if (argc != 4)
        return 2;
    int side = atoi(argv[2]), shapes = 0;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[3], "wb");
    unsigned char *pixels = calloc((size_t)(side * side), 4);
    if (!input || !output || !pixels)
        return 1;
    text[fread(text, 1, sizeof text - 1, input)] = 0;
    NSVGimage *image = nsvgParse(text, "px", 96);
    NSVGrasterizer *rasterizer = nsvgCreateRasterizer();
    if (!image || !rasterizer)
        return 1;
    for (NSVGshape *shape = image->shapes; shape; shape = shape->next)
        shapes++;
    nsvgRasterize(rasterizer, image, 0, 0, (float)side / image->width, pixels, side, side,
                  side * 4);
    fprintf(output, "P6\n%d %d\n255\n", side, side);
    for (int at = 0; at < side * side; at++) {
        const unsigned char *pixel = pixels + 4 * at;
        for (int part = 0; part < 3; part++)
            fputc((pixel[part] * pixel[3] + 255 * (255 - pixel[3])) / 255, output);
    }
    printf("%d shapes, %d by %d\n", shapes, (int)image->width, (int)image->height);
    nsvgDeleteRasterizer(rasterizer);
    nsvgDelete(image);
    free(pixels);
    fclose(input);
    return fclose(output) != 0;
}
