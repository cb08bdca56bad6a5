/* Makes 16-bit samples of IMA ADPCM.   decode INPUT OUTPUT */
#include <stdio.h>

#include "adpcm.h"

enum { CODES = 128 };

int main(int argc, char **argv) {
    static uint8_t codes[CODES];
    static int16_t samples[2 * CODES];
    struct adpcm_state state = {0, 0};
    if (argc != 3) {
        fprintf(stderr, "usage: decode INPUT OUTPUT\n");
        return 2;
    }
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    for (size_t count; (count = fread(codes, 1, CODES, input)) > 0;) {
        for (size_t i = 0; i < count; i++) {
            samples[2 * i] = adpcm_decode(&state, codes[i] & 15);
            samples[2 * i + 1] = adpcm_decode(&state, codes[i] >> 4);
        }
        fwrite(samples, sizeof *samples, 2 * count, output);
    }
    fclose(input);
    return fclose(output) != 0;
}
