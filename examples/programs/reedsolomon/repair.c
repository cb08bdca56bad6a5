/* Damages the blocks that protect.c wrote, as a bad line would, and repairs them: syndromes,
 * Berlekamp and Massey, Chien's search, Forney.   repair INPUT OUTPUT SEED */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "field.h"

static uint32_t state;

static unsigned below(unsigned limit) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (unsigned)((uint64_t)state * limit >> 32);
}

/* Zero to nine bytes of a block change: eight is the most that the code repairs. */
static unsigned damage(uint8_t *block) {
    unsigned count = below(10);
    for (unsigned i = 0; i < count; i++)
        block[below(CODE_BYTES)] ^= (uint8_t)(1 + below(255));
    return count;
}

static int syndromes(const uint8_t *block, uint8_t *syndrome) {
    int any = 0;
    for (int i = 0; i < PARITY; i++) {
        uint8_t sum = 0;
        for (int k = 0; k < CODE_BYTES; k++)
            sum = times(sum, power[i]) ^ block[k];
        syndrome[i] = sum;
        any |= sum;
    }
    return any;
}

static int locator_of(const uint8_t *syndrome, uint8_t *locator) {
    uint8_t before[PARITY + 1] = {1}, kept[PARITY + 1], last = 1;
    int length = 0, shift = 1;
    memset(locator, 0, PARITY + 1);
    locator[0] = 1;
    for (int n = 0; n < PARITY; n++) {
        uint8_t gap = syndrome[n];
        for (int i = 1; i <= length; i++)
            gap ^= times(locator[i], syndrome[n - i]);
        if (gap == 0) {
            shift++;
            continue;
        }
        memcpy(kept, locator, sizeof kept);
        uint8_t factor = over(gap, last);
        for (int i = 0; i + shift <= PARITY; i++)
            locator[i + shift] ^= times(factor, before[i]);
        if (2 * length <= n) {
            length = n + 1 - length;
            memcpy(before, kept, sizeof before);
            last = gap;
            shift = 1;
        } else
            shift++;
    }
    return length;
}

static uint8_t value_at(const uint8_t *polynomial, int count, uint8_t x) {
    uint8_t sum = 0;
    while (count--)
        sum = times(sum, x) ^ polynomial[count];
    return sum;
}

/* How many bytes it repaired, or -1 where there are more errors than it can. */
static int repair(uint8_t *block) {
    uint8_t syndrome[PARITY], locator[PARITY + 1], evaluator[PARITY] = {0};
    int places[PARITY / 2], found = 0;
    if (!syndromes(block, syndrome))
        return 0;
    int errors = locator_of(syndrome, locator);
    if (errors > PARITY / 2)
        return -1;
    for (int i = 0; i < PARITY; i++)
        for (int k = 0; k <= errors && k <= i; k++)
            evaluator[i] ^= times(locator[k], syndrome[i - k]);
    for (int place = 0; place < CODE_BYTES && found < errors; place++)
        if (value_at(locator, errors + 1, power[255 - place]) == 0)
            places[found++] = place;
    if (found != errors)
        return -1;
    for (int i = 0; i < errors; i++) {
        uint8_t inverse = power[255 - places[i]], slope = 0;
        for (int k = 1; k <= errors; k += 2)
            slope ^= times(locator[k], power[(255 - places[i]) * (k - 1) % 255]);
        if (slope == 0)
            return -1;
        uint8_t size = over(value_at(evaluator, PARITY, inverse), slope);
        block[CODE_BYTES - 1 - places[i]] ^= times(size, power[places[i]]);
    }
    return errors;
}

int main(int argc, char **argv) {
    static uint8_t block[CODE_BYTES];
    unsigned blocks = 0, repaired = 0, lost = 0, whole = 0;

    if (argc != 4 || (state = (uint32_t)strtoul(argv[3], NULL, 0)) == 0)
        return 2;
    FILE *in = fopen(argv[1], "rb"), *out = fopen(argv[2], "wb");
    if (in == NULL || out == NULL)
        return 1;
    field_make();
    while (fread(block, 1, CODE_BYTES, in) == CODE_BYTES) {
        damage(block);
        int bytes = repair(block);
        if (bytes < 0)
            lost++;
        else if (bytes == 0)
            whole++;
        else
            repaired += (unsigned)bytes;
        fwrite(block, 1, DATA_BYTES, out);
        blocks++;
    }
    printf("%u blocks: %u whole, %u bytes repaired, %u lost\n", blocks, whole, repaired, lost);
    fclose(in);
    return fclose(out) != 0;
}
