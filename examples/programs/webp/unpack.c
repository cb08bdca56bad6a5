/* Unpacks a WebP row by row, as its bytes arrive, into a picture (PPM).   unpack INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "webp/decode.h"

int main(int argc, char **argv) {
    static uint8_t piece[256];
    uint8_t *rows = NULL;
    int last = 0, width = 0, height = 0, stride = 0;
    size_t got;
    VP8StatusCode status = VP8_STATUS_SUSPENDED;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "wb");
    WebPIDecoder *decoder = WebPINewRGB(MODE_RGB, NULL, 0, 0);
    if (!input || !output || !decoder)
        return 1;
    while (status == VP8_STATUS_SUSPENDED && (got = fread(piece, 1, sizeof piece, input)) > 0) {
        status = WebPIAppend(decoder, piece, got);
        rows = WebPIDecGetRGB(decoder, &last, &width, &height, &stride);
    }
    if (status != VP8_STATUS_OK || !rows) {
        printf("error %d\n", (int)status);
        return 1;
    }
    fprintf(output, "P6\n%d %d\n255\n", width, height);
    uint32_t sum = 0;
    for (int y = 0; y < last; y++) {
        fwrite(rows + y * stride, 3, (size_t)width, output);
        for (int x = 0; x < 3 * width; x++)
            sum = (sum << 1 | sum >> 31) ^ rows[y * stride + x];
    }
    printf("%d x %d, %08x\n", width, height, (unsigned)sum);
    WebPIDelete(decoder);
    fclose(input);
    return fclose(output) != 0;
}
