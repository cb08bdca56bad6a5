/* Unpacks a picture of JPEG 2000: all of it, and one of half its size.
 * jp2-unpack INPUT.j2k WHOLE.ppm HALF.ppm */
#include <stdio.h>
#include <string.h>

#include "stream.h"

static int write(const opj_image_t *image, const char *path) {
    FILE *output = fopen(path, "wb");
    if (!output)
        return 0;
    unsigned width = image->comps[0].w, height = image->comps[0].h;
    fprintf(output, "P6\n%u %u\n255\n", width, height);
    for (unsigned at = 0; at < width * height; at++)
        for (unsigned i = 0; i < image->numcomps; i++) {
            OPJ_INT32 value = image->comps[i].data[at];
            fputc(value < 0 ? 0 : value > 255 ? 255 : value, output);
        }
    return fclose(output) == 0;
}

static int unpack(const char *from, const char *to, unsigned less) {
    opj_dparameters_t parameters;
    opj_image_t *image = NULL;
    opj_codec_t *codec = opj_create_decompress(OPJ_CODEC_J2K);
    opj_stream_t *stream = open_stream(from, 0);
    opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = less;
    report_errors(codec);
    int good = opj_setup_decoder(codec, &parameters) && opj_read_header(stream, codec, &image) &&
               opj_decode(codec, stream, image) && opj_end_decompress(codec, stream) &&
               write(image, to);
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    return good;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    int good = unpack(argv[1], argv[2], 0) && unpack(argv[1], argv[3], 1);
    puts(good ? "unpacked" : "not unpacked");
    return !good;
}
