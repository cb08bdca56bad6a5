/* Makes again what shrink took away.   expand INPUT OUTPUT */
#include <stdio.h>

#include "sliding.h"

static unsigned char window[WINDOW];

int main(int argc, char **argv) {
    unsigned size, done = 0;
    int flags = 0, left = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL || fread(&size, 4, 1, input) != 1)
        return 1;
    while (done < size) {
        if (left-- == 0) {
            flags = getc(input);
            left = 7;
        }
        int c = getc(input);
        if (c == EOF) {
            fprintf(stderr, "%s ends after %u of %u bytes\n", argv[1], done, size);
            return 1;
        }
        if (flags & 1) {
            unsigned code = (unsigned)c << 8 | (unsigned)getc(input), length = code % 16 + LEAST;
            for (unsigned from = done - (code >> 4); length--; from++) {
                window[done++ % WINDOW] = window[from % WINDOW];
                putc(window[from % WINDOW], output);
            }
        } else {
            window[done++ % WINDOW] = (unsigned char)c;
            putc(c, output);
        }
        flags >>= 1;
    }
    fclose(input);
    return fclose(output) != 0;
}
