/* Codes 16-bit samples in IMA ADPCM, two a byte.   encode INPUT OUTPUT */
#include <stdio.h>

#include "adpcm.h"

enum { SAMPLES = 256 };

int main(int argc, char **argv) {
    static int16_t samples[SAMPLES];
    static uint8_t codes[SAMPLES / 2];
    struct adpcm_state state = {0, 0};
    if (argc != 3) {
        fprintf(stderr, "usage: encode INPUT OUTPUT\n");
        return 2;
    }
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    for (size_t count; (count = fread(samples, sizeof *samples, SAMPLES, input)) > 0;) {
        for (size_t i = 0; i < count; i++) {
            unsigned code = adpcm_encode(&state, samples[i]);
            codes[i / 2] = (uint8_t)(i % 2 ? codes[i / 2] | code << 4 : code);
        }
        fwrite(codes, 1, (count + 1) / 2, output);
    }
    printf("predicted %ld, step %d\n", (long)state.predicted, adpcm_steps[state.index]);
    fclose(input);
    return fclose(output) != 0;
}
