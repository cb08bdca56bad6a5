/* Decompresses a file of huffman.c's.   unhuffman INPUT OUTPUT */
#include <stdint.h>
#include <stdio.h>

enum { SYMBOLS = 256, LONGEST = 32 };

static uint8_t lengths[SYMBOLS], symbols[SYMBOLS];
/* Of each length: the first code, how many there are, and where their symbols begin. */
static uint32_t first[LONGEST + 1];
static int count[LONGEST + 1], begin[LONGEST + 1];

static void make_tables(void) {
    uint32_t code = 0;
    int at = 0;
    for (int length = 1; length <= LONGEST; length++, code <<= 1) {
        first[length] = code;
        begin[length] = at;
        for (int symbol = 0; symbol < SYMBOLS; symbol++)
            if (lengths[symbol] == length)
                symbols[at++] = (uint8_t)symbol;
        count[length] = at - begin[length];
        code += (uint32_t)count[length];
    }
}

static int next_bit(FILE *input) {
    static int byte, left;
    if (left == 0) {
        byte = getc(input);
        left = 8;
    }
    return byte >> --left & 1;
}

static int next_symbol(FILE *input) {
    uint32_t code = 0;
    for (int length = 1; length <= LONGEST; length++) {
        code = code << 1 | (uint32_t)next_bit(input);
        if (code - first[length] < (uint32_t)count[length])
            return symbols[begin[length] + (int)(code - first[length])];
    }
    return -1;
}

int main(int argc, char **argv) {
    uint32_t bytes;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL || fread(lengths, 1, sizeof lengths, input) != SYMBOLS ||
        fread(&bytes, 1, 4, input) != 4)
        return 1;
    make_tables();
    while (bytes-- > 0) {
        int symbol = next_symbol(input);
        if (symbol < 0)
            return 1;
        putc(symbol, output);
    }
    fclose(input);
    return fclose(output) != 0;
}
