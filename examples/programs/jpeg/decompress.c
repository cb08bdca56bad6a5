/* Makes an image (PPM or PGM, binary) of a JPEG by libjpeg.   decompress INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "jpeglib.h"

int main(int argc, char **argv) {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    decoder.err = jpeg_std_error(&errors);
    jpeg_create_decompress(&decoder);
    jpeg_stdio_src(&decoder, input);
    jpeg_read_header(&decoder, TRUE);
    jpeg_start_decompress(&decoder);
    size_t bytes = (size_t)decoder.output_width * (size_t)decoder.output_components;
    JSAMPLE *row = malloc(bytes);
    if (row == NULL)
        return 1;
    fprintf(output, "P%c\n%u %u\n255\n", decoder.output_components == 3 ? '6' : '5',
            (unsigned)decoder.output_width, (unsigned)decoder.output_height);
    while (decoder.output_scanline < decoder.output_height) {
        jpeg_read_scanlines(&decoder, &row, 1);
        fwrite(row, 1, bytes, output);
    }
    jpeg_finish_decompress(&decoder);
    jpeg_destroy_decompress(&decoder);
    free(row);
    fclose(input);
    return fclose(output) != 0;
}
