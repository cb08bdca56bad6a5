/* Decodes what narrow coded.   widen INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "ranges.h"

static chances_of_zero chances;
static unsigned low, high = 0xFFFFFFFF, value;

static int decoded(unsigned short *chance, FILE *input) {
    unsigned between = middle(low, high, *chance);
    int bit = value > between;
    if (bit)
        low = between + 1;
    else
        high = between;
    learn(chance, bit);
    while ((low ^ high) >> 24 == 0) {
        int c = fgetc(input);
        low <<= 8;
        high = high << 8 | 0xFF;
        value = value << 8 | (unsigned char)(c == EOF ? 0 : c);
    }
    return bit;
}

int main(int argc, char **argv) {
    char header[9] = "";
    int before = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL || fread(header, 1, 8, input) != 8)
        return 1;
    begin(chances);
    for (int i = 0; i < 4; i++)
        value = value << 8 | (unsigned char)fgetc(input);
    for (long left = atol(header); left > 0; left--) {
        int path = 1;
        while (path < 256)
            path = 2 * path + decoded(&chances[before][path], input);
        before = path & 0xFF;
        fputc(before, output);
    }
    fclose(input);
    return fclose(output) != 0;
}
