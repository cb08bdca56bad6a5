/* Sorts the suffixes of a text by doubling (Manber and Myers, 1990); writes the longest repetition
 * and the last column of its rotations.   suffixes TEXT OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int *order, *rank, *scratch, *counts;

/* A stable sort of the suffixes in `from` by the rank of the first letter. */
static void by_rank(const int *from, int *to, int size, int ranks) {
    memset(counts, 0, (size_t)(ranks + 1) * sizeof *counts);
    for (int i = 0; i < size; i++)
        counts[rank[i] + 1]++;
    for (int i = 0; i < ranks; i++)
        counts[i + 1] += counts[i];
    for (int i = 0; i < size; i++)
        to[counts[rank[from[i]]]++] = from[i];
}

static int at(int i, int size) {
    return i < size ? rank[i] : -1;
}

int main(int argc, char **argv) {
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "rb");
    if (input == NULL)
        return 1;
    size_t room = 1024, used = 0, got;
    char *text = malloc(room);
    while (text && (got = fread(text + used, 1, room - used, input)) > 0) {
        used += got;
        if (used == room)
            text = realloc(text, room *= 2);
    }
    fclose(input);
    int size = (int)used, ranks = 256;
    size_t table = (size_t)(size > 256 ? size : 256) + 1;
    order = malloc(table * sizeof *order);
    rank = malloc(table * sizeof *rank);
    scratch = malloc(table * sizeof *scratch);
    counts = malloc((table + 1) * sizeof *counts);
    if (!text || !order || !rank || !scratch || !counts || size == 0)
        return 1;
    for (int i = 0; i < size; i++) {
        rank[i] = (unsigned char)text[i];
        scratch[i] = i;
    }
    by_rank(scratch, order, size, ranks);
    int rounds = 0;
    for (int step = 0;; step = step ? 2 * step : 1) {
        if (step) {
            int filled = 0;
            for (int i = size - step; i < size; i++)
                scratch[filled++] = i;
            for (int i = 0; i < size; i++)
                if (order[i] >= step)
                    scratch[filled++] = order[i] - step;
            by_rank(scratch, order, size, ranks);
        }
        scratch[order[0]] = 0;
        ranks = 1;
        for (int i = 1; i < size; i++) {
            int a = order[i - 1], b = order[i];
            if (rank[a] != rank[b] || at(a + step, size) != at(b + step, size))
                ranks++;
            scratch[b] = ranks - 1;
        }
        memcpy(rank, scratch, used * sizeof *rank);
        rounds++;
        if (ranks == size || 2 * step >= size)
            break;
    }
    int longest = 0, where = 0, common = 0;
    for (int i = 0; i < size; i++) {
        if (rank[i] == 0) {
            common = 0;
            continue;
        }
        const char *here = text + i, *other = text + order[rank[i] - 1];
        int limit = size - (int)((here > other ? here : other) - text);
        while (common < limit && here[common] == other[common])
            common++;
        if (common > longest) {
            longest = common;
            where = i;
        }
        if (common)
            common--;
    }
    FILE *output = fopen(argv[2], "wb");
    if (output == NULL)
        return 1;
    for (int i = 0; i < size; i++)
        putc(text[order[i] ? order[i] - 1 : size - 1], output);
    printf("%d bytes, %d rounds, repeated: %.*s\n", size, rounds, longest, text + where);
    free(text);
    free(order);
    free(rank);
    free(scratch);
    free(counts);
    return fclose(output) != 0;
}
