/* Prints the lines in which two texts differ, by their longest common subsequence.   diff OLD NEW
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char **lines;
    int count;
};

static int read_lines(struct text *text, const char *name) {
    static char line[256];
    int room = 0;
    FILE *file = fopen(name, "r");
    text->lines = NULL;
    text->count = 0;
    if (file == NULL)
        return -1;
    while (fgets(line, sizeof line, file)) {
        if (text->count == room) {
            room += 32;
            text->lines = realloc(text->lines, (size_t)room * sizeof *text->lines);
        }
        char *copy = malloc(strlen(line) + 1);
        if (text->lines == NULL || copy == NULL)
            return -1;
        text->lines[text->count++] = strcpy(copy, line);
    }
    fclose(file);
    return 0;
}

static unsigned short *table;
static int columns;

static unsigned short *at(int i, int j) {
    return &table[i * columns + j];
}

static void fill(const struct text *old, const struct text *new) {
    for (int i = old->count - 1; i >= 0; i--)
        for (int j = new->count - 1; j >= 0; j--) {
            if (strcmp(old->lines[i], new->lines[j]) == 0)
                *at(i, j) = (unsigned short)(*at(i + 1, j + 1) + 1);
            else
                *at(i, j) = *at(i + 1, j) > *at(i, j + 1) ? *at(i + 1, j) : *at(i, j + 1);
        }
}

int main(int argc, char **argv) {
    struct text old, new;
    int i = 0, j = 0, different = 0;
    if (argc != 3 || read_lines(&old, argv[1]) || read_lines(&new, argv[2]))
        return 2;
    columns = new.count + 1;
    table = calloc((size_t)(old.count + 1) * (size_t)columns, sizeof *table);
    if (table == NULL)
        return 2;
    fill(&old, &new);
    while (i < old.count || j < new.count) {
        if (i < old.count && j < new.count &&strcmp(old.lines[i], new.lines[j]) == 0) {
            i++;
            j++;
        } else if (j < new.count && (i == old.count || *at(i, j + 1) > *at(i + 1, j))) {
            printf("%d > %s", j + 1, new.lines[j]);
            j++;
            different = 1;
        } else {
            printf("%d < %s", i + 1, old.lines[i]);
            i++;
            different = 1;
        }
    }
    free(table);
    return different;
}
