/* Shows a PNG as a display with 16 bits a point gets it, and how bright its quarters are.
 * unpack INPUT.png OUTPUT.565 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "png.h"

static void warned(png_structp png, png_const_charp text) {
    (void)png;
    printf("warning: %s\n", text);
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output)
        return 1;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, warned);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        puts("no picture");
        return 1;
    }
    png_init_io(png, input);
    png_read_info(png, info);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_strip_alpha(png);
    if (png_get_valid(png, info, PNG_INFO_tRNS))
        png_set_tRNS_to_alpha(png);
    png_read_update_info(png, info);

    unsigned width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    size_t bytes = png_get_rowbytes(png, info);
    png_bytep row = malloc(bytes);
    uint8_t *shown = malloc(2 * (size_t)width);
    uint32_t light[4] = {0};
    if (!row || !shown || bytes != 3 * (size_t)width)
        return 1;
    for (unsigned y = 0; y < height; y++) {
        png_read_row(png, row, NULL);
        for (unsigned x = 0; x < width; x++) {
            const png_byte *p = row + 3 * x;
            uint16_t point = (uint16_t)((p[0] >> 3) << 11 | (p[1] >> 2) << 5 | p[2] >> 3);
            shown[2 * x] = (uint8_t)(point >> 8);
            shown[2 * x + 1] = (uint8_t)point;
            light[(y >= height / 2) * 2 + (x >= width / 2)] +=
                (77u * p[0] + 150u * p[1] + 29u * p[2]) >> 8;
        }
        fwrite(shown, 2, width, output);
    }
    png_read_end(png, info);
    png_textp text;
    int texts = png_get_text(png, info, &text, NULL);
    for (int i = 0; i < texts; i++)
        printf("%s: %s\n", text[i].key, text[i].text);
    for (int i = 0; i < 4; i++)
        printf("quarter %d: %lu\n", i, (unsigned long)light[i]);
    png_destroy_read_struct(&png, &info, NULL);
    free(row);
    free(shown);
    fclose(input);
    return fclose(output) != 0;
}
