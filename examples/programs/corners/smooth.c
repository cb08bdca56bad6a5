/* Smooths an image by weights that fall with distance and with difference.
 * smooth INPUT OUTPUT THRESHOLD */
#include <math.h>
#include <stdlib.h>

#include "image.h"

enum { REACH = 2 };

static uint8_t likeness[511];
static uint8_t nearness[2 * REACH + 1][2 * REACH + 1];

static void make_weights(double threshold) {
    for (int difference = -255; difference <= 255; difference++)
        likeness[difference + 255] =
            (uint8_t)(100 * exp(-(difference * difference) / (threshold * threshold)));
    for (int y = -REACH; y <= REACH; y++)
        for (int x = -REACH; x <= REACH; x++)
            nearness[y + REACH][x + REACH] = (uint8_t)(100 * exp(-(x * x + y * y) / 4.0));
}

static uint8_t smoothed(const struct image *image, int x, int y) {
    const uint8_t *centre = image->pixels + y * image->width + x;
    int sum = 0, weights = 0;
    for (int dy = -REACH; dy <= REACH; dy++)
        for (int dx = -REACH; dx <= REACH; dx++) {
            int pixel = centre[dy * image->width + dx];
            int weight = nearness[dy + REACH][dx + REACH] * likeness[pixel - *centre + 255];
            sum += weight * pixel;
            weights += weight;
        }
    return (uint8_t)(sum / weights);
}

int main(int argc, char **argv) {
    struct image image, result;
    if (argc != 4 || image_read(&image, argv[1]) || image_make(&result, image.width, image.height))
        return 1;
    make_weights(atof(argv[3]));
    for (int y = REACH; y < image.height - REACH; y++)
        for (int x = REACH; x < image.width - REACH; x++)
            result.pixels[y * image.width + x] = smoothed(&image, x, y);
    return image_write(&result, argv[2]);
}
