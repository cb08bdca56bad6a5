/* Gives each 239 bytes of a file 16 of a Reed-Solomon code.   protect INPUT OUTPUT */
#include <stdio.h>
#include <string.h>

#include "field.h"

static uint8_t generator[PARITY + 1];

/* The product of (x - a^i), the greatest power first. */
static void make_generator(void) {
    memset(generator, 0, sizeof generator);
    generator[0] = 1;
    for (int i = 0; i < PARITY; i++)
        for (int k = i + 1; k > 0; k--)
            generator[k] ^= times(generator[k - 1], power[i]);
}

static void parity_of(const uint8_t *data, uint8_t *parity) {
    memset(parity, 0, PARITY);
    for (int i = 0; i < DATA_BYTES; i++) {
        uint8_t lead = data[i] ^ parity[0];
        memmove(parity, parity + 1, PARITY - 1);
        parity[PARITY - 1] = 0;
        if (lead)
            for (int k = 0; k < PARITY; k++)
                parity[k] ^= times(lead, generator[k + 1]);
    }
}

int main(int argc, char **argv) {
    uint8_t block[CODE_BYTES];
    size_t got;
    unsigned blocks = 0;

    if (argc != 3)
        return 2;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (in == NULL || out == NULL)
        return 1;
    field_make();
    make_generator();
    while ((got = fread(block, 1, DATA_BYTES, in)) > 0) {
        memset(block + got, 0, DATA_BYTES - got);
        parity_of(block, block + DATA_BYTES);
        fwrite(block, 1, CODE_BYTES, out);
        blocks++;
    }
    printf("%u blocks\n", blocks);
    fclose(in);
    return fclose(out) != 0;
}
