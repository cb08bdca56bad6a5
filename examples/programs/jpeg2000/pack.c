/* Packs a picture in colours by JPEG 2000, without loss.   jp2-pack INPUT.ppm OUTPUT.j2k */
#include <stdio.h>

#include "stream.h"

int main(int argc, char **argv) {
    opj_image_cmptparm_t planes[3] = {{0}};
    opj_cparameters_t parameters;
    unsigned width, height;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    if (!input || fscanf(input, "P6 %u %u 255", &width, &height) != 2 || fgetc(input) != '\n')
        return 1;
    for (int i = 0; i < 3; i++) {
        planes[i].dx = planes[i].dy = 1;
        planes[i].w = width;
        planes[i].h = height;
        planes[i].prec = 8;
    }
    opj_image_t *image = opj_image_create(3, planes, OPJ_CLRSPC_SRGB);
    if (!image)
        return 1;
    image->x1 = width;
    image->y1 = height;
    for (unsigned at = 0; at < width * height; at++)
        for (int i = 0; i < 3; i++)
            image->comps[i].data[at] = fgetc(input);
    fclose(input);
    opj_set_default_encoder_parameters(&parameters);
    parameters.tcp_mct = 1;
    parameters.tcp_numlayers = 1;
    parameters.cp_disto_alloc = 1;
    parameters.numresolution = 4;
    parameters.cblockw_init = parameters.cblockh_init = 32;
    opj_codec_t *codec = opj_create_compress(OPJ_CODEC_J2K);
    report_errors(codec);
    opj_stream_t *stream = open_stream(argv[2], 1);
    int good = opj_setup_encoder(codec, &parameters, image) &&
               opj_start_compress(codec, image, stream) && opj_encode(codec, stream) &&
               opj_end_compress(codec, stream);
    opj_stream_destroy(stream);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
    printf("%u by %u: %s\n", width, height, good ? "packed" : "not packed");
    return !good;
}
