#include "field.h"

uint8_t power[512], logarithm[256];

void field_make(void) {
    unsigned x = 1;
    for (int i = 0; i < 255; i++) {
        power[i] = power[i + 255] = (uint8_t)x;
        logarithm[x] = (uint8_t)i;
        x <<= 1;
        if (x & 0x100)
            x ^= POLYNOMIAL;
    }
}
