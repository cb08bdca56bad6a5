/* Which molecules of a list are the same, however their atoms are numbered? An edge for each bond;
 * atoms of one element have one colour.   isomers MOLECULES OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nauty.h"

#define ATOMS 32
#define KINDS 60

typedef struct {
    int atoms, seen;
    char elements[ATOMS + 1];
    graph form[ATOMS];
} kind_t;

static kind_t kinds[KINDS];
static int known;

/* Atoms by their elements: nauty takes colours as runs of a list of vertices. */
static void colour(const char *elements, int atoms, int *labels, int *partition) {
    int count = 0;
    for (int letter = 'A'; letter <= 'Z'; letter++) {
        int before = count;
        for (int atom = 0; atom < atoms; atom++)
            if (elements[atom] == letter) {
                labels[count] = atom;
                partition[count++] = 1;
            }
        if (count > before)
            partition[count - 1] = 0;
    }
}

static int by_letter(const void *a, const void *b) {
    return *(const char *)a - *(const char *)b;
}

static int found(int atoms, const char *elements, const graph *form) {
    for (int i = 0; i < known; i++)
        if (kinds[i].atoms == atoms && strcmp(kinds[i].elements, elements) == 0 &&
            memcmp(kinds[i].form, form, (size_t)atoms * sizeof *form) == 0)
            return i;
    if (known == KINDS)
        exit(3);
    kinds[known].atoms = atoms;
    strcpy(kinds[known].elements, elements);
    memcpy(kinds[known].form, form, (size_t)atoms * sizeof *form);
    return known++;
}

int main(int argc, char **argv) {
    static DEFAULTOPTIONS_GRAPH(options);
    static graph bonds[ATOMS], form[ATOMS];
    int labels[ATOMS], partition[ATOMS], orbits[ATOMS], number = 0, from, to;
    char elements[ATOMS + 1];
    statsblk stats;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    nauty_check(WORDSIZE, 1, ATOMS, NAUTYVERSIONID);
    options.getcanon = TRUE;
    options.defaultptn = FALSE;
    while (fscanf(input, "%32s", elements) == 1) {
        int atoms = (int)strlen(elements);
        EMPTYGRAPH(bonds, 1, ATOMS);
        while (fscanf(input, "%d-%d", &from, &to) == 2)
            if (from < atoms && to < atoms)
                ADDONEEDGE(bonds, from, to, 1);
        fscanf(input, ";");
        colour(elements, atoms, labels, partition);
        densenauty(bonds, labels, partition, orbits, &options, &stats, 1, atoms, form);
        qsort(elements, (size_t)atoms, 1, by_letter);
        int kind = found(atoms, elements, form);
        kinds[kind].seen++;
        fprintf(output, "%d: %s is kind %d, %ld symmetries, %d places\n", number++, elements, kind,
                (long)stats.grpsize1, stats.numorbits);
    }
    printf("%d molecules, %d kinds\n", number, known);
    for (int i = 0; i < known; i++)
        printf("%d ", kinds[i].seen);
    putchar('\n');
    fclose(input);
    return fclose(output) != 0;
}
