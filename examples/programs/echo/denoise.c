/* Takes the noise of a fan out of a voice, and says how much of each second is left.
 * denoise INPUT.pcm DECIBELS OUTPUT.pcm */
#include <stdio.h>
#include <stdlib.h>

#include "speex/speex_preprocess.h"

#define FRAME 80
#define RATE 8000

static long long energy(const spx_int16_t *frame) {
    long long sum = 0;
    for (int i = 0; i < FRAME; i++)
        sum += (long)frame[i] * frame[i];
    return sum;
}

int main(int argc, char **argv) {
    spx_int16_t frame[FRAME];
    int on = 1, decibels, frames = 0;
    long long before = 1, after = 0;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "wb");
    SpeexPreprocessState *state = speex_preprocess_state_init(FRAME, RATE);
    if (!input || !output || !state)
        return 1;
    decibels = atoi(argv[2]);
    speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_DENOISE, &on);
    speex_preprocess_ctl(state, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &decibels);
    while (fread(frame, sizeof *frame, FRAME, input) == FRAME) {
        before += energy(frame);
        speex_preprocess_run(state, frame);
        after += energy(frame);
        fwrite(frame, sizeof *frame, FRAME, output);
        if (++frames % 20 == 0) {
            printf("%d: %ld of a thousand left\n", frames, (long)(1000 * after / before));
            before = 1;
            after = 0;
        }
    }
    speex_preprocess_state_destroy(state);
    fclose(input);
    return fclose(output) != 0;
}
