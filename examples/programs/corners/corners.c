/* Finds corners in an image as SUSAN does: where few of the pixels around one are like it (Smith
 * and Brady, 1997).   corners INPUT OUTPUT THRESHOLD */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"

/* Half the width of each row of the mask of 37 pixels. */
static const int reach[7] = {1, 2, 3, 3, 3, 2, 1};
enum { FULL = 3700, MOST = FULL / 2 };

static uint8_t likeness[511];

static void make_likeness(int threshold) {
    for (int difference = -255; difference <= 255; difference++) {
        double part = (double)difference / threshold;
        part = part * part * part;
        likeness[difference + 255] = (uint8_t)(100 * exp(-part * part));
    }
}

static int response(const struct image *image, int x, int y) {
    const uint8_t *centre = image->pixels + y * image->width + x;
    const uint8_t *of = likeness + 255 - *centre;
    int area = 0, sum_x = 0, sum_y = 0;
    for (int dy = -3; dy <= 3; dy++) {
        const uint8_t *row = centre + dy * image->width;
        for (int dx = -reach[dy + 3]; dx <= reach[dy + 3]; dx++) {
            int like = of[row[dx]];
            area += like;
            sum_x += dx * like;
            sum_y += dy * like;
        }
        if (area > MOST)
            return 0;
    }
    /* The centre of what is like it lies away from it. */
    if (sum_x * sum_x + sum_y * sum_y < area * area / 2)
        return 0;
    return MOST - area;
}

static int greatest(const int *responses, int width, int x, int y) {
    int here = responses[y * width + x];
    for (int dy = -2; dy <= 2; dy++)
        for (int dx = -2; dx <= 2; dx++) {
            int other = responses[(y + dy) * width + x + dx];
            if (other > here || (other == here && (dy < 0 || (dy == 0 && dx < 0))))
                return 0;
        }
    return 1;
}

int main(int argc, char **argv) {
    struct image image;
    int corners = 0;
    if (argc != 4)
        return 2;
    if (image_read(&image, argv[1])) {
        fprintf(stderr, "%s: no image\n", argv[1]);
        return 1;
    }
    make_likeness(atoi(argv[3]));
    int *responses = calloc((size_t)image.width * (size_t)image.height, sizeof *responses);
    FILE *output = fopen(argv[2], "w");
    if (responses == NULL || output == NULL)
        return 1;
    for (int y = 3; y < image.height - 3; y++)
        for (int x = 3; x < image.width - 3; x++)
            responses[y * image.width + x] = response(&image, x, y);
    for (int y = 5; y < image.height - 5; y++)
        for (int x = 5; x < image.width - 5; x++)
            if (responses[y * image.width + x] && greatest(responses, image.width, x, y)) {
                fprintf(output, "%d %d %d\n", x, y, responses[y * image.width + x]);
                corners++;
            }
    printf("%d corners\n", corners);
    free(responses);
    free(image.pixels);
    return fclose(output) != 0;
}
