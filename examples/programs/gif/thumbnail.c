/* Shows an animated picture on a small grey display: each GIF frame, halved, in four greys as
 * characters.   thumbnail INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#define STBI_ONLY_GIF
#define STBI_NO_THREAD_LOCALS
#define STBI_NO_LINEAR
#define STBI_NO_HDR
#define STB_IMAGE_IMPLEMENTATION
#include "stb_image.c"

static int grey(const unsigned char *pixel) {
    return (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
}

int main(int argc, char **argv) {
    int width, height, frames, comp, *delays = NULL;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    unsigned char *packed = malloc(65536);
    if (!packed)
        return 1;
    int length = (int)fread(packed, 1, 65536, input);
    unsigned char *pixels =
        stbi_load_gif_from_memory(packed, length, &delays, &width, &height, &frames, &comp, 4);
    if (!pixels) {
        puts(stbi_failure_reason());
        return 1;
    }
    for (int frame = 0; frame < frames; frame++) {
        const unsigned char *at = pixels + 4 * width * height * frame;
        unsigned total = 0;
        for (int y = 0; y + 1 < height; y += 2) {
            for (int x = 0; x + 1 < width; x += 2) {
                const unsigned char *p = at + 4 * (y * width + x);
                int sum = grey(p) + grey(p + 4) + grey(p + 4 * width) + grey(p + 4 * width + 4);
                total += (unsigned)sum;
                fputc(" .+#"[sum >> 8], output);
            }
            fputc('\n', output);
        }
        printf("frame %d: %d ms, mean %u\n", frame, delays[frame],
               total / (unsigned)(width * height));
    }
    stbi_image_free(pixels);
    free(delays);
    free(packed);
    fclose(input);
    return fclose(output) != 0;
}
