/* IMA ADPCM: 16-bit samples as differences of 4 bits (IMA Digital Audio Focus Group, 1992). */
#ifndef ADPCM_H
#define ADPCM_H

#include <stdint.h>

struct adpcm_state {
    int32_t predicted;
    int32_t index; /* of the step */
};

extern const int16_t adpcm_steps[89];

/* One sample to four bits, and back; both change the state alike. */
unsigned adpcm_encode(struct adpcm_state *state, int16_t sample);
int16_t adpcm_decode(struct adpcm_state *state, unsigned code);

#endif
