/*
 * Work without an end for an ATmega2560, by programs of the benchmark. A frame of speech is coded
 * as ADPCM and decoded. The codes are encrypted and decrypted by Rijndael.
 */
#include "adpcm.h"
#include "rijndael.h"

enum { SAMPLES = 160, CODES = SAMPLES / 2 };

static int16_t speech[SAMPLES];
static uint8_t codes[CODES];
static struct rijndael cipher;
static volatile uint16_t result;

/* A voice of a changing pitch, with some noise. */
static void speak(uint16_t round) {
    uint32_t noise = round + 1;
    uint16_t phase = 0;
    for (uint8_t i = 0; i < SAMPLES; i++) {
        noise = noise * 1664525u + 1013904223u;
        phase += 900 + round % 512;
        int16_t wave = (int16_t)((phase & 0x8000 ? ~phase : phase) - 0x4000);
        speech[i] = (int16_t)(wave + (int16_t)(noise >> 23) - 256);
    }
}

int main(void) {
    uint8_t key[RIJNDAEL_BLOCK];
    for (uint8_t i = 0; i < RIJNDAEL_BLOCK; i++)
        key[i] = (uint8_t)(17 * i);
    rijndael_set_key(&cipher, key);
    for (uint16_t round = 0;; round++) {
        struct adpcm_state coder = {0, 0}, decoder = {0, 0};
        uint16_t sum = 0;
        speak(round);
        for (uint8_t i = 0; i < SAMPLES; i += 2)
            codes[i / 2] = (uint8_t)(adpcm_encode(&coder, speech[i]) |
                                     adpcm_encode(&coder, speech[i + 1]) << 4);
        for (uint8_t i = 0; i < CODES; i += RIJNDAEL_BLOCK) {
            rijndael_encrypt(&cipher, codes + i);
            sum = (uint16_t)(sum << 1 ^ codes[i]);
            rijndael_decrypt(&cipher, codes + i);
        }
        for (uint8_t i = 0; i < SAMPLES; i++)
            sum += (uint16_t)adpcm_decode(&decoder, codes[i / 2] >> 4 * (i & 1) & 15);
        result = sum;
    }
}
