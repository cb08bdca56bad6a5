/* Codes a file with as many bits as its bytes are surprising.   narrow INPUT OUTPUT */
#include <stdio.h>

#include "ranges.h"

static chances_of_zero chances;
static unsigned low, high = 0xFFFFFFFF;

static void code(unsigned short *chance, int bit, FILE *output) {
    unsigned between = middle(low, high, *chance);
    if (bit)
        low = between + 1;
    else
        high = between;
    learn(chance, bit);
    for (; (low ^ high) >> 24 == 0; low <<= 8, high = high << 8 | 0xFF)
        fputc((int)(high >> 24), output);
}

int main(int argc, char **argv) {
    int before = 0, c;
    long count = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    begin(chances);
    fputs("        ", output);
    while ((c = fgetc(input)) != EOF) {
        int path = 1;
        for (int i = 7; i >= 0; i--) {
            int bit = c >> i & 1;
            code(&chances[before][path], bit, output);
            path = 2 * path + bit;
        }
        before = c;
        count++;
    }
    if (ferror(input))
        return 1;
    for (int i = 0; i < 4; i++, low <<= 8)
        fputc((int)(low >> 24), output);
    long size = ftell(output);
    fseek(output, 0, SEEK_SET);
    fprintf(output, "%7ld ", count);
    printf("%ld bytes in %ld\n", count, size);
    fclose(input);
    return fclose(output) != 0;
}
