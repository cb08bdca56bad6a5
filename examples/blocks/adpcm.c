/* A coder of IMA ADPCM, 4 bits for each sample of 16, over a short piece of sound. Its control-flow
 * graph is like that of Moreno and Fischmeister, section 6.2. Written from the recommendation of
 * the Interactive Multimedia Association (1992). */
#include "fragment.h"

enum { SAMPLES = 16, INDEX_MAX = 88 };

static const int16_t steps[INDEX_MAX + 1] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,    19,   21,    23,
    25,    28,    31,    34,    37,    41,    45,    50,    55,    60,    66,   73,    80,
    88,    97,    107,   118,   130,   143,   157,   173,   190,   209,   230,  253,   279,
    307,   337,   371,   408,   449,   494,   544,   598,   658,   724,   796,  876,   963,
    1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,  2272,  2499,  2749, 3024,  3327,
    3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,  9493, 10442, 11487,
    12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
static const int8_t adjustments[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

struct coder {
    int32_t predicted;
    int32_t index;
};

static struct coder coder;
static int16_t sound[SAMPLES];
static uint8_t coded[SAMPLES / 2];
static int samples;

static uint8_t encode(struct coder *one, int32_t sample) {
    int32_t step = steps[one->index];
    int32_t difference = sample - one->predicted;
    int32_t change = step >> 3;
    uint8_t code = 0;
    if (difference < 0) {
        code = 8;
        difference = -difference;
    }
    if (difference >= step) {
        code |= 4;
        difference -= step;
        change += step;
    }
    step >>= 1;
    if (difference >= step) {
        code |= 2;
        difference -= step;
        change += step;
    }
    step >>= 1;
    if (difference >= step) {
        code |= 1;
        change += step;
    }
    one->predicted += code & 8 ? -change : change;
    if (one->predicted > 32767)
        one->predicted = 32767;
    else if (one->predicted < -32768)
        one->predicted = -32768;
    one->index += adjustments[code & 7];
    if (one->index < 0)
        one->index = 0;
    else if (one->index > INDEX_MAX)
        one->index = INDEX_MAX;
    return code;
}

EXECUTE {
    for (int i = 0; i < samples; i++) {
        uint8_t code = encode(&coder, sound[i]);
        if (i & 1)
            coded[i / 2] |= code << 4;
        else
            coded[i / 2] = code;
    }
}

/* Sound of a loudness that differs from round to round, now and then beyond what can be coded. */
PREPARE(round) {
    uint32_t noise = round * 2654435761u + 12345;
    int32_t level = 0;
    for (int i = 0; i < SAMPLES; i++) {
        noise = noise * 1664525u + 1013904223u;
        level += (int32_t)(noise >> 16) % (16 << round % 12) - (8 << round % 12);
        if (round % 7 == 3)
            level = i % 4 < 2 ? 32767 : -32768;
        sound[i] = level > 32767 ? 32767 : level < -32768 ? -32768 : level;
    }
    samples = SAMPLES - round % 4;
    coder.predicted = round % 5 == 1 ? 32000 : round % 5 == 2 ? -32000 : 0;
    coder.index = round % 3 == 0 ? 0 : round % 3 == 1 ? INDEX_MAX : 40;
}
