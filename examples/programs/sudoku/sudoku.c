/* Solves sudokus, a line of 81 digits each, by bits of what is left and the cell with the least.
 * sudoku INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define BITS 0x1FFu

struct puzzle {
    uint8_t cell[81];
    uint16_t row[9], column[9], box[9];
    unsigned tried;
};

static const uint8_t BOX[81] = {
#define BAND(a) a, a, a, a + 1, a + 1, a + 1, a + 2, a + 2, a + 2
    BAND(0), BAND(0), BAND(0), BAND(3), BAND(3), BAND(3), BAND(6), BAND(6), BAND(6)};

static int ones(unsigned x) {
    int count = 0;
    for (; x; x &= x - 1)
        count++;
    return count;
}

static void toggle(struct puzzle *p, int at, unsigned bit) {
    p->row[at / 9] ^= (uint16_t)bit;
    p->column[at % 9] ^= (uint16_t)bit;
    p->box[BOX[at]] ^= (uint16_t)bit;
}

static int setup(struct puzzle *p, const char *line) {
    memset(p, 0, sizeof *p);
    for (int at = 0; at < 81; at++) {
        if (line[at] < '0' || line[at] > '9')
            return -1;
        int digit = line[at] - '0';
        if (digit == 0)
            continue;
        unsigned bit = 1u << (digit - 1);
        if ((p->row[at / 9] | p->column[at % 9] | p->box[BOX[at]]) & bit)
            return -1;
        p->cell[at] = (uint8_t)digit;
        toggle(p, at, bit);
    }
    return 0;
}

static int solve(struct puzzle *p) {
    int best = -1, fewest = 10;
    unsigned choices = 0;
    for (int at = 0; at < 81 && fewest > 1; at++) {
        if (p->cell[at])
            continue;
        unsigned left = BITS & ~(unsigned)(p->row[at / 9] | p->column[at % 9] | p->box[BOX[at]]);
        int count = ones(left);
        if (count < fewest) {
            fewest = count;
            best = at;
            choices = left;
        }
    }
    if (best < 0)
        return 1;
    for (int digit = 1; digit <= 9; digit++) {
        unsigned bit = 1u << (digit - 1);
        if (!(choices & bit))
            continue;
        p->cell[best] = (uint8_t)digit;
        p->tried++;
        toggle(p, best, bit);
        if (solve(p))
            return 1;
        toggle(p, best, bit);
        p->cell[best] = 0;
    }
    return 0;
}

int main(int argc, char **argv) {
    char line[100];
    struct puzzle p;
    unsigned solved = 0, refused = 0, tried = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        if (strlen(line) < 81 || setup(&p, line) || !solve(&p)) {
            refused++;
            fputs("none\n", output);
            continue;
        }
        solved++;
        tried += p.tried;
        for (int at = 0; at < 81; at++)
            line[at] = (char)('0' + p.cell[at]);
        line[81] = '\n';
        line[82] = 0;
        fputs(line, output);
    }
    printf("%u solved, %u refused, %u tried\n", solved, refused, tried);
    fclose(input);
    return fclose(output) != 0;
}
