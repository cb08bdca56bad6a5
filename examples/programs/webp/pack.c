/* Packs a colour picture (PPM) into a WebP.   pack INPUT OUTPUT QUALITY */
#include <stdio.h>
#include <stdlib.h>

#include "webp/encode.h"

static int put(const uint8_t *data, size_t size, const WebPPicture *picture) {
    return fwrite(data, 1, size, picture->custom_ptr) == size;
}

int main(int argc, char **argv) {
    WebPConfig config;
    WebPPicture picture;
    int width, height, most;
    if (argc != 4 || !WebPConfigInit(&config) || !WebPPictureInit(&picture))
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output || fscanf(input, "P6 %d %d %d", &width, &height, &most) != 3)
        return 1;
    fgetc(input);
    uint8_t *pixels = malloc((size_t)(3 * width * height));
    if (!pixels || fread(pixels, 3, (size_t)(width * height), input) != (size_t)(width * height))
        return 1;
    config.quality = (float)atoi(argv[3]);
    config.method = 1;
    config.segments = 2;
    picture.width = width;
    picture.height = height;
    picture.writer = put;
    picture.custom_ptr = output;
    if (!WebPPictureImportRGB(&picture, pixels, 3 * width) || !WebPEncode(&config, &picture)) {
        printf("error %d\n", picture.error_code);
        return 1;
    }
    printf("%d x %d in %ld bytes\n", width, height, ftell(output));
    WebPPictureFree(&picture);
    free(pixels);
    fclose(input);
    return fclose(output) != 0;
}
