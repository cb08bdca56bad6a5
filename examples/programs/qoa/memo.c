/* Keeps a spoken memo by QOA, plays it back, and says how near it is.
 * memo SPEECH PACKED AGAIN */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QOA_IMPLEMENTATION
#define QOA_NO_STDIO
#include "qoa.h"

#define MOST 40000

static double ratio_db(const short *plain, const short *again, unsigned count) {
    double signal = 0, noise = 0;
    for (unsigned i = 0; i < count; i++) {
        double off = plain[i] - again[i];
        signal += (double)plain[i] * plain[i];
        noise += off * off;
    }
    return noise > 0 ? 10 * log10(signal / noise) : 99;
}

int main(int argc, char **argv) {
    qoa_desc about = {.channels = 1, .samplerate = 8000}, read;
    unsigned size;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *packed = fopen(argv[2], "wb");
    FILE *output = fopen(argv[3], "wb");
    short *plain = malloc(MOST * sizeof *plain);
    if (!input || !packed || !output || !plain)
        return 1;
    about.samples = (unsigned)fread(plain, sizeof *plain, MOST, input);
    unsigned char *bytes = qoa_encode(plain, &about, &size);
    if (!bytes || fwrite(bytes, 1, size, packed) != size)
        return 1;
    short *again = qoa_decode(bytes, (int)size, &read);
    if (!again || read.samples != about.samples || read.samplerate != about.samplerate)
        return 1;
    fwrite(again, sizeof *again, read.samples, output);
    int tenths = (int)lround(10 * ratio_db(plain, again, read.samples));
    printf("%u samples, %u bytes, %d.%d dB\n", read.samples, size, tenths / 10, tenths % 10);
    free(again);
    free(bytes);
    free(plain);
    fclose(input);
    fclose(packed);
    return fclose(output) != 0;
}
