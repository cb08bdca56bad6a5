/* Recognises patterns by a small network of 8-bit weights: one convolution, the greatest of each
 * four, one full layer.   network WEIGHTS IMAGES OUTPUT: images of 16 by 16 bytes. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    SIZE = 16,
    KERNELS = 6,
    REACH = 3,
    INNER = SIZE - REACH + 1,
    POOLED = INNER / 2,
    CLASSES = 10
};

struct weights {
    int8_t kernels[KERNELS][REACH][REACH];
    int8_t biases[KERNELS];
    int8_t full[CLASSES][KERNELS][POOLED][POOLED];
};

static int8_t clipped(int32_t value) {
    return (int8_t)(value < 0 ? 0 : value > 127 ? 127 : value);
}

static void convolve(const struct weights *weights, uint8_t image[SIZE][SIZE],
                     int8_t maps[KERNELS][INNER][INNER]) {
    for (int k = 0; k < KERNELS; k++)
        for (int y = 0; y < INNER; y++)
            for (int x = 0; x < INNER; x++) {
                int32_t sum = weights->biases[k] * 64;
                for (int i = 0; i < REACH; i++)
                    for (int j = 0; j < REACH; j++)
                        sum += weights->kernels[k][i][j] * image[y + i][x + j];
                maps[k][y][x] = clipped(sum >> 9);
            }
}

static int8_t greatest(int8_t map[INNER][INNER], int y, int x) {
    int8_t most = map[y][x];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (map[y + i][x + j] > most)
                most = map[y + i][x + j];
    return most;
}

static int classify(const struct weights *weights, uint8_t image[SIZE][SIZE]) {
    static int8_t maps[KERNELS][INNER][INNER], pooled[KERNELS][POOLED][POOLED];
    int best = 0;
    int32_t most = INT32_MIN;
    convolve(weights, image, maps);
    for (int k = 0; k < KERNELS; k++)
        for (int y = 0; y < POOLED; y++)
            for (int x = 0; x < POOLED; x++)
                pooled[k][y][x] = greatest(maps[k], 2 * y, 2 * x);
    for (int class = 0; class < CLASSES; class ++) {
        int32_t sum = 0;
        const int8_t *weight = &weights->full[class][0][0][0], *value = &pooled[0][0][0];
        for (int i = 0; i < KERNELS * POOLED * POOLED; i++)
            sum += weight[i] * value[i];
        if (sum > most) {
            most = sum;
            best = class;
        }
    }
    return best;
}

int main(int argc, char **argv) {
    static uint8_t image[SIZE][SIZE];
    int found[CLASSES] = {0};
    if (argc != 4)
        return 2;
    struct weights *weights = malloc(sizeof *weights);
    FILE *file = fopen(argv[1], "rb");
    FILE *images = fopen(argv[2], "rb");
    FILE *output = fopen(argv[3], "w");
    if (weights == NULL || file == NULL || images == NULL || output == NULL ||
        fread(weights, sizeof *weights, 1, file) != 1)
        return 1;
    fclose(file);
    while (fread(image, sizeof image, 1, images) == 1) {
        int class = classify(weights, image);
        found[class]++;
        fprintf(output, "%d\n", class);
    }
    for (int class = 0; class < CLASSES; class ++)
        printf("%d: %d\n", class, found[class]);
    free(weights);
    fclose(images);
    return fclose(output) != 0;
}
