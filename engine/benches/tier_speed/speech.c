/* Speech is coded as ADPCM and decoded, by a program of the benchmark. It ends in `finished`.
 * ROUNDS is given at compile time. */
#include "adpcm.h"

enum { SAMPLES = 512 };

static int16_t speech[SAMPLES];
static uint8_t codes[SAMPLES / 2];
volatile uint32_t result;

/* A voice of a falling pitch, with some noise. */
static void speak(uint32_t round) {
    uint32_t noise = round + 1, phase = 0, pitch = 700 + round % 512;
    for (int i = 0; i < SAMPLES; i++) {
        noise = noise * 1664525u + 1013904223u;
        phase = (phase + pitch) & 0xFFFF;
        int32_t wave = (int32_t)(phase > 0x8000 ? 0x10000 - phase : phase) - 0x4000;
        speech[i] = (int16_t)(wave + (int32_t)(noise >> 22) - 512);
    }
}

int main(void) {
    uint32_t sum = 0;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct adpcm_state coder = {0, 0}, decoder = {0, 0};
        speak(round);
        for (int i = 0; i < SAMPLES; i += 2)
            codes[i / 2] = (uint8_t)(adpcm_encode(&coder, speech[i]) |
                                     adpcm_encode(&coder, speech[i + 1]) << 4);
        for (int i = 0; i < SAMPLES; i++)
            sum = sum * 31 + (uint16_t)adpcm_decode(&decoder, codes[i / 2] >> 4 * (i & 1) & 15);
    }
    result = sum;
    return 0;
}
