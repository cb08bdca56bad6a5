/* Moreno and Fischmeister, table 2, again: a coder of IMA ADPCM, called 1,000 times in each
 * measurement, with other samples each time. A call has two or four of them, so that what is done
 * for each sample differs from what is done for each call. Written from the recommendation of the
 * Interactive Multimedia Association (1992).
 *
 * It differs from adpcm_coder() of MiBench (Jansen, 1992) in three ways. It makes one byte of each
 * two samples without keeping half a byte between calls. Its predictor and index are clipped by
 * comparisons alone. And it has 16 bits where those suffice: int is no wider on the ATmega2560.
 */
#include "fragment.h"

#ifndef CALLS
#define CALLS 1000
#endif

enum { SAMPLES_MAX = 4, INDEX_MAX = 88 };

static const int16_t steps[INDEX_MAX + 1] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,    19,   21,    23,
    25,    28,    31,    34,    37,    41,    45,    50,    55,    60,    66,   73,    80,
    88,    97,    107,   118,   130,   143,   157,   173,   190,   209,   230,  253,   279,
    307,   337,   371,   408,   449,   494,   544,   598,   658,   724,   796,  876,   963,
    1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,  2272,  2499,  2749, 3024,  3327,
    3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,  9493, 10442, 11487,
    12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
static const int8_t adjustments[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

static int16_t predicted;
static int8_t place;
static uint16_t random_bits = 1;

static uint8_t code_of(int16_t sample) {
    uint16_t step = (uint16_t)steps[place];
    uint16_t change = step >> 3;
    uint16_t difference;
    uint8_t code = 0;
    int32_t next;
    if (sample < predicted) {
        code = 8;
        difference = (uint16_t)predicted - (uint16_t)sample;
    } else {
        difference = (uint16_t)sample - (uint16_t)predicted;
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
    next = code & 8 ? (int32_t)predicted - change : (int32_t)predicted + change;
    if (next > INT16_MAX)
        next = INT16_MAX;
    else if (next < INT16_MIN)
        next = INT16_MIN;
    predicted = (int16_t)next;
    place += adjustments[code & 7];
    if (place < 0)
        place = 0;
    else if (place > INDEX_MAX)
        place = INDEX_MAX;
    return code;
}

/* Codes `count` samples, an even number, two to a byte. */
__attribute__((noipa)) static void adpcm_coder(const int16_t *samples, uint8_t *coded,
                                               uint8_t count) {
    for (; count > 0; count -= 2) {
        uint8_t low = code_of(*samples++);
        *coded++ = low | code_of(*samples++) << 4;
    }
}

/* Samples of any loudness, and how many. Marsaglia's xorshift of 16 bits. */
__attribute__((noipa)) static uint8_t make_sound(int16_t *samples) {
    uint8_t count = random_bits & 2 ? SAMPLES_MAX : SAMPLES_MAX / 2;
    for (uint8_t i = 0; i < count; i++) {
        random_bits ^= random_bits << 7;
        random_bits ^= random_bits >> 9;
        random_bits ^= random_bits << 8;
        samples[i] = (int16_t)random_bits;
    }
    return count;
}

EXECUTE {
    static int16_t samples[SAMPLES_MAX];
    static uint8_t coded[SAMPLES_MAX / 2];
    for (uint16_t call = 0; call < CALLS; call++) {
        uint8_t count = make_sound(samples);
        adpcm_coder(samples, coded, count);
    }
}

PREPARE(round) {
    random_bits = (uint16_t)(round * 40503u + 1) | 1;
    predicted = 0;
    place = (int8_t)(round % (INDEX_MAX + 1));
}
