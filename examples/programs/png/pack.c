/* Writes a picture as PNG, with a comment and a gamma, row by row.   pack INPUT.ppm OUTPUT.png
 * LEVEL */
#include <stdio.h>
#include <stdlib.h>

#include "png.h"

#define WIDEST 512

static int number(FILE *file) {
    int value = 0, next;
    while ((next = fgetc(file)) != EOF && (next < '0' || next > '9'))
        continue;
    for (; next >= '0' && next <= '9'; next = fgetc(file))
        value = value * 10 + next - '0';
    return value;
}

int main(int argc, char **argv) {
    static png_byte row[3 * WIDEST];
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output || fgetc(input) != 'P' || fgetc(input) != '6')
        return 1;
    int width = number(input), height = number(input), most = number(input);
    if (width < 1 || width > WIDEST || most != 255)
        return 1;

    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        puts("no picture");
        return 1;
    }
    png_init_io(png, output);
    png_set_compression_level(png, atoi(argv[3]));
    png_set_compression_window_bits(png, 13);
    png_set_compression_mem_level(png, 6);
    png_set_compression_buffer_size(png, 2048);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_ALL_FILTERS);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_gAMA_fixed(png, info, 45455);
    png_text comment = {PNG_TEXT_COMPRESSION_NONE, "Title", argv[1], 0};
    png_set_text(png, info, &comment, 1);
    png_write_info(png, info);
    for (int y = 0; y < height; y++) {
        if (fread(row, 3, (size_t)width, input) != (size_t)width)
            png_error(png, "cut off");
        png_write_row(png, row);
    }
    png_write_end(png, info);
    printf("%d by %d: %ld bytes of %ld\n", width, height, ftell(output), ftell(input));
    png_destroy_write_struct(&png, &info);
    fclose(input);
    return fclose(output) != 0;
}
