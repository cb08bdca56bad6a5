/*
 * Work for a Cortex-M3 by programs of the benchmark, a number of rounds of it. A frame of speech is
 * coded as ADPCM and decoded; the codes are encrypted and decrypted by Rijndael.
 */
#include "adpcm.h"
#include "rijndael.h"
#include "start.h"

enum { SAMPLES = 160, CODES = SAMPLES / 2 };

static int16_t speech[SAMPLES];
static uint8_t codes[CODES];
static struct rijndael cipher;
static volatile uint32_t result;

/* A voice of a falling pitch, with some noise. */
static void speak(uint32_t round) {
    uint32_t noise = round + 1, phase = 0, pitch = 900 + round % 512;
    for (int i = 0; i < SAMPLES; i++) {
        noise = noise * 1664525u + 1013904223u;
        phase = (phase + pitch) & 0xFFFF;
        int32_t wave = (int32_t)(phase > 0x8000 ? 0x10000 - phase : phase) - 0x4000;
        speech[i] = (int16_t)(wave + (int32_t)(noise >> 22) - 512);
    }
}

void start(void) {
    uint8_t key[RIJNDAEL_BLOCK];
    for (unsigned i = 0; i < RIJNDAEL_BLOCK; i++)
        key[i] = (uint8_t)(17 * i);
    rijndael_set_key(&cipher, key);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct adpcm_state coder = {0, 0}, decoder = {0, 0};
        uint32_t sum = 0;
        speak(round);
        for (int i = 0; i < SAMPLES; i += 2)
            codes[i / 2] = (uint8_t)(adpcm_encode(&coder, speech[i]) |
                                     adpcm_encode(&coder, speech[i + 1]) << 4);
        for (int i = 0; i < CODES; i += RIJNDAEL_BLOCK) {
            rijndael_encrypt(&cipher, codes + i);
            sum = sum << 1 ^ codes[i];
            rijndael_decrypt(&cipher, codes + i);
        }
        for (int i = 0; i < SAMPLES; i++)
            sum += (uint16_t)adpcm_decode(&decoder, codes[i / 2] >> 4 * (i & 1) & 15);
        result = sum;
    }
    end();
}
