/* Compresses an image (PPM, binary) to JPEG by libjpeg.   compress INPUT OUTPUT QUALITY */
#include <stdio.h>
#include <stdlib.h>

#include "jpeglib.h"

int main(int argc, char **argv) {
    struct jpeg_compress_struct coder;
    struct jpeg_error_mgr errors;
    int width, height, most;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL ||
        fscanf(input, "P6 %d %d %d", &width, &height, &most) != 3 || most != 255)
        return 1;
    getc(input);
    JSAMPLE *row = malloc((size_t)width * 3);
    if (row == NULL)
        return 1;
    coder.err = jpeg_std_error(&errors);
    jpeg_create_compress(&coder);
    jpeg_c_set_int_param(&coder, JINT_COMPRESS_PROFILE, JCP_FASTEST);
    jpeg_stdio_dest(&coder, output);
    coder.image_width = (JDIMENSION)width;
    coder.image_height = (JDIMENSION)height;
    coder.input_components = 3;
    coder.in_color_space = JCS_RGB;
    jpeg_set_defaults(&coder);
    jpeg_set_quality(&coder, atoi(argv[3]), TRUE);
    jpeg_start_compress(&coder, TRUE);
    while (coder.next_scanline < coder.image_height &&
           fread(row, 3, (size_t)width, input) == (size_t)width)
        jpeg_write_scanlines(&coder, &row, 1);
    jpeg_finish_compress(&coder);
    jpeg_destroy_compress(&coder);
    free(row);
    fclose(input);
    return fclose(output) != 0;
}
