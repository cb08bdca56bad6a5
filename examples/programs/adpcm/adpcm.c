#include "adpcm.h"

/* Each is a tenth more than the one before. */
const int16_t adpcm_steps[89] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,    19,   21,    23,
    25,    28,    31,    34,    37,    41,    45,    50,    55,    60,    66,   73,    80,
    88,    97,    107,   118,   130,   143,   157,   173,   190,   209,   230,  253,   279,
    307,   337,   371,   408,   449,   494,   544,   598,   658,   724,   796,  876,   963,
    1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,  2272,  2499,  2749, 3024,  3327,
    3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,  9493, 10442, 11487,
    12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};

static const int8_t changes[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

static int32_t limited(int32_t value, int32_t least, int32_t most) {
    return value < least ? least : value > most ? most : value;
}

int16_t adpcm_decode(struct adpcm_state *state, unsigned code) {
    int32_t step = adpcm_steps[state->index];
    int32_t difference = step >> 3;
    if (code & 4)
        difference += step;
    if (code & 2)
        difference += step >> 1;
    if (code & 1)
        difference += step >> 2;
    state->predicted += code & 8 ? -difference : difference;
    state->predicted = limited(state->predicted, -32768, 32767);
    state->index = limited(state->index + changes[code & 7], 0, 88);
    return (int16_t)state->predicted;
}

unsigned adpcm_encode(struct adpcm_state *state, int16_t sample) {
    int32_t difference = sample - state->predicted;
    int32_t step = adpcm_steps[state->index];
    unsigned code = 0;
    if (difference < 0) {
        code = 8;
        difference = -difference;
    }
    for (unsigned bit = 4; bit; bit >>= 1) {
        if (difference >= step) {
            code |= bit;
            difference -= step;
        }
        step >>= 1;
    }
    adpcm_decode(state, code);
    return code;
}
