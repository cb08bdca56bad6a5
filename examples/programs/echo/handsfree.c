/* A telephone without a receiver: takes out of the microphone what the loudspeaker says.
 * handsfree BOTH.pcm TAPS OUTPUT.pcm */
#include <stdio.h>
#include <stdlib.h>

#include "speex/speex_echo.h"

#define FRAME 64
#define RATE 8000

int main(int argc, char **argv) {
    spx_int16_t both[FRAME][2], far[FRAME], near[FRAME], clean[FRAME];
    long frames = 0;
    double before = 0, after = 0;
    int rate = RATE;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[3], "wb");
    SpeexEchoState *state = speex_echo_state_init(FRAME, atoi(argv[2]));
    if (!input || !output || !state)
        return 1;
    speex_echo_ctl(state, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
    while (fread(both, sizeof *both, FRAME, input) == FRAME) {
        long long loud = 0, left = 0;
        for (int i = 0; i < FRAME; i++) {
            far[i] = both[i][0];
            near[i] = both[i][1];
        }
        speex_echo_cancellation(state, near, far, clean);
        for (int i = 0; i < FRAME; i++) {
            loud += (long)near[i] * near[i];
            left += (long)clean[i] * clean[i];
        }
        before += (double)loud;
        after += (double)left;
        fwrite(clean, sizeof *clean, FRAME, output);
        frames++;
    }
    printf("%ld frames, %ld of a thousand left\n", frames, (long)(1000 * after / (before + 1)));
    speex_echo_state_destroy(state);
    fclose(input);
    return fclose(output) != 0;
}
