/* Mends the blocks that a satellite sent: checks of low density say to each bit what they think
 * of it, and the bit answers.   downlink CODE BLOCKS OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS 256
#define CHECKS 128
#define EDGES 1200
#define ROUNDS 25

typedef int8_t belief_t;

typedef struct {
    uint16_t first, count;
} row_t;

typedef struct {
    uint16_t bit[EDGES];
    belief_t said[EDGES]; /* by the check of the edge */
    row_t rows[CHECKS];
    unsigned bits, checks, edges;
} code_t;

static code_t code;
static int16_t total[BITS];
static unsigned long rounds;

static inline int clamp(int value, int most) {
    return value > most ? most : value < -most ? -most : value;
}

static int load(FILE *input) {
    char line[200];
    if (!fgets(line, sizeof line, input) || sscanf(line, "%u %u", &code.bits, &code.checks) != 2 ||
        code.bits > BITS || code.checks > CHECKS)
        return 0;
    for (unsigned i = 0; i < code.checks; i++) {
        if (!fgets(line, sizeof line, input))
            return 0;
        code.rows[i].first = (uint16_t)code.edges;
        for (char *one = strtok(line, " \n"); one; one = strtok(NULL, " \n")) {
            if (code.edges == EDGES)
                return 0;
            code.bit[code.edges++] = (uint16_t)strtoul(one, NULL, 10);
        }
        code.rows[i].count = (uint16_t)(code.edges - code.rows[i].first);
    }
    return 1;
}

static int satisfied(void) {
    for (unsigned i = 0; i < code.checks; i++) {
        const uint16_t *bit = code.bit + code.rows[i].first;
        unsigned parity = 0;
        for (unsigned n = code.rows[i].count; n--; bit++)
            parity ^= total[*bit] < 0;
        if (parity)
            return 0;
    }
    return 1;
}

/* One check: the least of the others, three quarters of it, with the sign of the others. */
static void update(const row_t *row) {
    int16_t asked[40];
    int least = 127, second = 127, where = -1, sign = 0;
    for (int i = 0; i < row->count; i++) {
        unsigned edge = row->first + (unsigned)i;
        int value = clamp(total[code.bit[edge]] - code.said[edge], 127);
        int size = value < 0 ? -value : value;
        asked[i] = (int16_t)value;
        sign ^= value < 0;
        if (size < least) {
            second = least;
            least = size;
            where = i;
        } else if (size < second)
            second = size;
    }
    for (int i = 0; i < row->count; i++) {
        unsigned edge = row->first + (unsigned)i;
        int size = (i == where ? second : least) * 3 / 4;
        int value = sign ^ (asked[i] < 0) ? -size : size;
        total[code.bit[edge]] = (int16_t)(asked[i] + value);
        code.said[edge] = (belief_t)value;
    }
}

static int decode(const int8_t *heard) {
    for (unsigned i = 0; i < code.bits; i++)
        total[i] = heard[i];
    memset(code.said, 0, sizeof code.said);
    for (int round = 0; round < ROUNDS; round++) {
        if (satisfied())
            return round;
        for (unsigned i = 0; i < code.checks; i++)
            update(&code.rows[i]);
        rounds++;
    }
    return satisfied() ? ROUNDS : -1;
}

int main(int argc, char **argv) {
    static int8_t heard[BITS];
    unsigned blocks = 0, lost = 0, flipped = 0;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "r"), *air = fopen(argv[2], "rb"), *output = fopen(argv[3], "wb");
    if (!input || !air || !output || !load(input))
        return 1;
    unsigned useful = code.bits - code.checks;
    while (fread(heard, 1, code.bits, air) == code.bits) {
        int state = decode(heard);
        blocks++;
        if (state < 0) {
            printf("block %u is lost\n", blocks);
            lost++;
        }
        for (unsigned i = 0; i < code.bits; i++)
            flipped += (heard[i] < 0) != (total[i] < 0);
        for (unsigned i = 0; i < useful; i += 8) {
            uint8_t byte = 0;
            for (unsigned bit = 0; bit < 8; bit++)
                byte = (uint8_t)(byte << 1 | (total[i + bit] < 0));
            fputc(state < 0 ? '?' : byte, output);
        }
    }
    printf("%u blocks, %u lost, %u bits mended, %lu rounds\n", blocks, lost, flipped, rounds);
    fclose(input);
    fclose(air);
    return fclose(output) != 0;
}
