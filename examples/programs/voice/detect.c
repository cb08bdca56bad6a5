/* Finds where somebody speaks, in pieces of 20 ms, in each of the detector's four modes.
 * detect INPUT */
#include <stdint.h>
#include <stdio.h>

#include "fvad.h"

#define FRAME 160

int main(int argc, char **argv) {
    static uint8_t raw[2 * FRAME];
    static int16_t samples[FRAME];
    if (argc != 2)
        return 2;
    for (int mode = 0; mode < 4; mode++) {
        Fvad *detector = fvad_new();
        FILE *input = fopen(argv[1], "rb");
        int spoke = 0, frames = 0, voiced = 0;
        if (!detector || !input || fvad_set_mode(detector, mode) ||
            fvad_set_sample_rate(detector, 8000))
            return 1;
        printf("mode %d:", mode);
        while (fread(raw, 2, FRAME, input) == FRAME) {
            for (int i = 0; i < FRAME; i++)
                samples[i] = (int16_t)(raw[2 * i] | raw[2 * i + 1] << 8);
            int speaks = fvad_process(detector, samples, FRAME);
            if (speaks < 0)
                return 1;
            if (speaks != spoke)
                printf(" %s%d", speaks ? "" : "-", frames * 20);
            spoke = speaks;
            voiced += speaks;
            frames++;
        }
        printf("; %d of %d\n", voiced, frames);
        fvad_free(detector);
        fclose(input);
    }
    return 0;
}
