/* The colours of a picture in a small palette: k-means finds it, and a k-d tree looks each point
 * up. colours INPUT OUTPUT COLOURS */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    float axis[3];
} colour_t;

typedef struct node {
    colour_t colour;
    int index, axis;
    struct node *less, *more;
} node_t;

static int sort_axis;

static float distance(const colour_t *a, const colour_t *b) {
    float sum = 0;
    for (int i = 0; i < 3; i++) {
        float d = a->axis[i] - b->axis[i];
        sum += d * d;
    }
    return sum;
}

static int by_axis(const void *a, const void *b) {
    const node_t *const *one = a, *const *two = b;
    float x = (*one)->colour.axis[sort_axis], y = (*two)->colour.axis[sort_axis];
    if (x != y)
        return x < y ? -1 : 1;
    return (*one)->index - (*two)->index;
}

static node_t *build(node_t **list, int count, int depth) {
    if (count == 0)
        return NULL;
    sort_axis = depth % 3;
    qsort(list, (size_t)count, sizeof *list, by_axis);
    node_t *middle = list[count / 2];
    middle->axis = depth % 3;
    middle->less = build(list, count / 2, depth + 1);
    middle->more = build(list + count / 2 + 1, count - count / 2 - 1, depth + 1);
    return middle;
}

static void nearest(const node_t *node, const colour_t *to, const node_t **best, float *least) {
    if (!node)
        return;
    float d = distance(&node->colour, to);
    if (d < *least || (d == *least && node->index < (*best)->index)) {
        *least = d;
        *best = node;
    }
    float apart = to->axis[node->axis] - node->colour.axis[node->axis];
    nearest(apart < 0 ? node->less : node->more, to, best, least);
    if (apart * apart <= *least)
        nearest(apart < 0 ? node->more : node->less, to, best, least);
}

int main(int argc, char **argv) {
    int width, height, most;
    if (argc != 4)
        return 2;
    int count = atoi(argv[3]);
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    if (!input || !output || fscanf(input, "P6 %d %d %d", &width, &height, &most) != 3)
        return 1;
    fgetc(input);
    int points = width * height;
    unsigned char *pixels = malloc((size_t)points * 3);
    node_t *nodes = calloc((size_t)count, sizeof *nodes),
           **list = malloc((size_t)count * sizeof *list);
    double(*sums)[3] = malloc((size_t)count * sizeof *sums);
    int *members = malloc((size_t)count * sizeof *members);
    if (!pixels || !nodes || !list || !sums || !members ||
        fread(pixels, 3, (size_t)points, input) != (size_t)points)
        return 1;
    for (int i = 0; i < count; i++)
        for (int axis = 0; axis < 3; axis++)
            nodes[i].colour.axis[axis] = pixels[3 * (points / count * i) + axis];

    float error = 0;
    for (int round = 0; round < 4; round++) {
        memset(sums, 0, (size_t)count * sizeof *sums);
        memset(members, 0, (size_t)count * sizeof *members);
        for (int i = 0; i < count; i++) {
            list[i] = &nodes[i];
            nodes[i].index = i;
        }
        node_t *root = build(list, count, 0);
        error = 0;
        int step = round < 3 ? 3 : 1;
        for (int i = 0; i < points; i += step) {
            unsigned char *pixel = pixels + 3 * i;
            colour_t colour = {{pixel[0], pixel[1], pixel[2]}};
            const node_t *best = root;
            float least = FLT_MAX;
            nearest(root, &colour, &best, &least);
            error += sqrtf(least);
            members[best->index]++;
            for (int axis = 0; axis < 3; axis++)
                sums[best->index][axis] += pixel[axis];
            if (step == 1)
                fputc(best->index, output);
        }
        printf("round %d: mean distance %d hundredths\n", round,
               (int)(100 * error / (float)(points / step)));
        for (int i = 0; i < count && step > 1; i++)
            for (int axis = 0; axis < 3 && members[i]; axis++)
                nodes[i].colour.axis[axis] = (float)(sums[i][axis] / members[i]);
    }
    for (int i = 0; i < count; i++)
        printf("%02x%02x%02x%c", (unsigned)nodes[i].colour.axis[0],
               (unsigned)nodes[i].colour.axis[1], (unsigned)nodes[i].colour.axis[2],
               i % 8 == 7 ? '\n' : ' ');
    free(pixels);
    free(nodes);
    free(list);
    free(sums);
    free(members);
    fclose(input);
    return fclose(output) != 0;
}
