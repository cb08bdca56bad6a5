/* Replaces what came before by its distance and length.   shrink INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sliding.h"

enum { BUCKETS = 1024, NONE = -1, TRIES = 24 };

static int first[BUCKETS], earlier[WINDOW];

static unsigned bucket(const unsigned char *at) {
    return (at[0] * 33u * 33u + at[1] * 33u + at[2]) % BUCKETS;
}

static void remember(const unsigned char *all, long at) {
    unsigned slot = bucket(all + at);
    earlier[at % WINDOW] = first[slot];
    first[slot] = (int)at;
}

static long longest(const unsigned char *all, long at, long size, long *where) {
    long best = 0, limit = size - at < MOST ? size - at : MOST;
    int tries = TRIES;
    for (long old = first[bucket(all + at)]; old != NONE && at - old < WINDOW && tries--;
         old = earlier[old % WINDOW]) {
        long length = 0;
        while (length < limit && all[old + length] == all[at + length])
            length++;
        if (length > best) {
            best = length;
            *where = old;
        }
    }
    return best;
}

int main(int argc, char **argv) {
    unsigned char group[1 + 16];
    size_t filled = 1;
    int items = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    FILE *output = fopen(argv[2], "wb");
    if (input == NULL || output == NULL)
        return 1;
    fseek(input, 0, SEEK_END);
    long size = ftell(input);
    rewind(input);
    unsigned char *all = malloc((size_t)size + LEAST);
    if (all == NULL || fread(all, 1, (size_t)size, input) != (size_t)size)
        return 1;
    memset(first, 0xFF, sizeof first);
    fwrite(&size, 4, 1, output);
    group[0] = 0;
    for (long at = 0; at < size;) {
        long where = 0, length = at + LEAST <= size ? longest(all, at, size, &where) : 0;
        if (length >= LEAST) {
            unsigned back = (unsigned)(at - where), code = back << 4 | (unsigned)(length - LEAST);
            group[0] |= (unsigned char)(1 << items);
            group[filled++] = (unsigned char)(code >> 8);
            group[filled++] = (unsigned char)code;
        } else {
            group[filled++] = all[at];
            length = 1;
        }
        for (; length; length--, at++)
            if (at + LEAST <= size)
                remember(all, at);
        if (++items == 8) {
            fwrite(group, 1, filled, output);
            group[0] = 0;
            filled = 1;
            items = 0;
        }
    }
    if (items)
        fwrite(group, 1, filled, output);
    printf("%ld bytes became %ld\n", size, ftell(output));
    free(all);
    fclose(input);
    return fclose(output) != 0;
}
