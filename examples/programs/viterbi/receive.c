/* Decodes a convolutional code (rate 1/2, constraint 7, octal 171 and 133) by Viterbi's method,
 * frame by frame.   receive INPUT OUTPUT
 *
 * A byte of the input is a soft bit: 0 is surely 0, 255 surely 1. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 64, FRAME_BITS = 192, TAIL = 6, STEPS = FRAME_BITS + TAIL };

static uint8_t outputs[2 * STATES]; /* both bits of each state and bit */

static int parity(unsigned x) {
    int odd = 0;
    for (; x; x &= x - 1)
        odd = !odd;
    return odd;
}

static void make_outputs(void) {
    for (unsigned i = 0; i < 2 * STATES; i++)
        outputs[i] = (uint8_t)(parity(i & 0171) << 1 | parity(i & 0133));
}

static void decode(const uint8_t *soft, uint8_t *bytes) {
    static uint64_t decisions[STEPS];
    static int32_t metrics[2][STATES];
    int now = 0;
    for (int state = 1; state < STATES; state++)
        metrics[0][state] = 1 << 20;
    metrics[0][0] = 0;
    for (int step = 0; step < STEPS; step++, soft += 2, now = !now) {
        int32_t costs[4];
        for (int pair = 0; pair < 4; pair++)
            costs[pair] =
                (pair & 2 ? 255 - soft[0] : soft[0]) + (pair & 1 ? 255 - soft[1] : soft[1]);
        decisions[step] = 0;
        /* The register holds seven bits, the newest on top; the state is all but the oldest. */
        for (int state = 0; state < STATES; state++) {
            int from = state << 1 & (STATES - 1), window = state << 1;
            int32_t zero = metrics[now][from] + costs[outputs[window]];
            int32_t one = metrics[now][from | 1] + costs[outputs[window | 1]];
            if (one < zero) {
                decisions[step] |= (uint64_t)1 << state;
                zero = one;
            }
            metrics[!now][state] = zero;
        }
    }
    memset(bytes, 0, FRAME_BITS / 8);
    for (int step = STEPS - 1, state = 0; step >= 0; step--) {
        int bit = state >> 5;
        if (step < FRAME_BITS)
            bytes[step / 8] |= (uint8_t)(bit << (7 - step % 8));
        state = (state << 1 & (STATES - 1)) | (int)(decisions[step] >> state & 1);
    }
}

int main(int argc, char **argv) {
    static uint8_t soft[2 * STEPS], bytes[FRAME_BITS / 8];
    int frames = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    make_outputs();
    while (fread(soft, 1, sizeof soft, input) == sizeof soft) {
        decode(soft, bytes);
        fwrite(bytes, 1, sizeof bytes, output);
        frames++;
    }
    printf("%d frames\n", frames);
    fclose(input);
    return fclose(output) != 0;
}
