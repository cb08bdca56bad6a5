/* A picture of balls over a floor, by marching along rays.   rays WIDTH HEIGHT OUTPUT */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct vector {
    float x, y, z;
};

static const struct {
    struct vector centre;
    float radius;
} balls[] = {
    {{0.0f, 1.0f, 5.0f}, 1.0f}, {{1.75f, 0.5f, 4.0f}, 0.5f}, {{-1.5f, 0.75f, 4.5f}, 0.75f}};

static struct vector plus(struct vector a, float scale, struct vector b) {
    struct vector sum = {a.x + scale * b.x, a.y + scale * b.y, a.z + scale * b.z};
    return sum;
}

static float dot(struct vector a, struct vector b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static struct vector normal(struct vector a) {
    float scale = 1.0f / sqrtf(dot(a, a));
    struct vector scaled = {a.x * scale, a.y * scale, a.z * scale};
    return scaled;
}

/* How far the nearest thing is. */
static float distance(struct vector from) {
    float nearest = from.y;
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++) {
        struct vector between = plus(from, -1.0f, balls[i].centre);
        float far = sqrtf(dot(between, between)) - balls[i].radius;
        if (far < nearest)
            nearest = far;
    }
    return nearest;
}

static float march(struct vector from, struct vector direction, float limit) {
    float gone = 0.02f;
    for (int step = 0; step < 40 && gone < limit; step++) {
        float free_way = distance(plus(from, gone, direction));
        if (free_way < 0.004f)
            return gone;
        gone += free_way;
    }
    return gone < limit ? gone : limit;
}

static struct vector upright(struct vector at) {
    const float e = 0.01f;
    float here = distance(at);
    struct vector gradient = {
        distance((struct vector){at.x + e, at.y, at.z}) - here,
        distance((struct vector){at.x, at.y + e, at.z}) - here,
        distance((struct vector){at.x, at.y, at.z + e}) - here,
    };
    return normal(gradient);
}

static int shade(struct vector direction) {
    const struct vector eye = {0.0f, 1.5f, 0.0f}, light = {0.48f, 0.64f, -0.6f};
    const float limit = 12.0f;
    float far = march(eye, direction, limit);
    if (far >= limit)
        return 40 + (int)(120.0f * fabsf(direction.y));
    struct vector at = plus(eye, far, direction), up = upright(at);
    float bright = dot(up, light);
    if (bright > 0.0f && march(plus(at, 0.05f, up), light, 4.0f) < 4.0f)
        bright *= 0.3f;
    if (at.y < 0.05f && ((int)floorf(at.x) + (int)floorf(at.z)) & 1)
        bright *= 0.5f;
    return 16 + (int)(220.0f * fmaxf(bright, 0.0f));
}

int main(int argc, char **argv) {
    int width = argc == 4 ? atoi(argv[1]) : 0, height = argc == 4 ? atoi(argv[2]) : 0;
    if (width < 2 || height < 2)
        return 2;
    FILE *output = fopen(argv[3], "wb");
    unsigned char *row = malloc((size_t)width);
    if (output == NULL || row == NULL)
        return 1;
    fprintf(output, "P5\n%d %d\n255\n", width, height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            struct vector direction = {
                (float)(2 * x - width) / (float)width,
                (float)(height - 2 * y) / (float)width - 0.125f,
                1.25f,
            };
            row[x] = (unsigned char)shade(normal(direction));
        }
        if (fwrite(row, 1, (size_t)width, output) != (size_t)width)
            return 1;
    }
    free(row);
    return fclose(output) != 0;
}
