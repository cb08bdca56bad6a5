/* Where each word of a text stands: a table by hash that grows.   symbols TEXT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    int line;
    struct place *next;
};

struct symbol {
    char *name;
    unsigned hash;
    int count;
    struct place *first, **last;
    struct symbol *next;
};

static struct symbol **table;
static unsigned slots, symbols;

static void *allocated(size_t size) {
    void *made = malloc(size);
    if (made == NULL)
        abort();
    return made;
}

static unsigned hash(const char *text) {
    unsigned value = 2166136261u;
    for (; *text; text++)
        value = (value ^ (unsigned char)*text) * 16777619u;
    return value;
}

static void grow(void) {
    unsigned wanted = slots ? 2 * slots : 16;
    struct symbol **larger = calloc(wanted, sizeof *larger);
    if (larger == NULL)
        abort();
    for (unsigned i = 0; i < slots; i++)
        for (struct symbol *one = table[i], *next; one; one = next) {
            next = one->next;
            one->next = larger[one->hash % wanted];
            larger[one->hash % wanted] = one;
        }
    free(table);
    table = larger;
    slots = wanted;
}

static void note(const char *name, int line) {
    unsigned of = hash(name);
    struct symbol *one = slots ? table[of % slots] : NULL;
    while (one && (one->hash != of || strcmp(one->name, name) != 0))
        one = one->next;
    if (one == NULL) {
        if (symbols >= slots)
            grow();
        one = allocated(sizeof *one);
        memset(one, 0, sizeof *one);
        size_t length = strlen(name);
        one->name = allocated(length + 1);
        memcpy(one->name, name, length + 1);
        one->hash = of;
        one->last = &one->first;
        one->next = table[of % slots];
        table[of % slots] = one;
        symbols++;
    }
    struct place *place = allocated(sizeof *place);
    place->line = line;
    place->next = NULL;
    *one->last = place;
    one->last = &place->next;
    one->count++;
}

static int by_name(const void *one, const void *other) {
    return strcmp((*(struct symbol *const *)one)->name, (*(struct symbol *const *)other)->name);
}

int main(int argc, char **argv) {
    char word[40];
    size_t length = 0;
    int c, line = 1, places = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL) {
        perror(argv[1]);
        return 1;
    }
    do {
        c = fgetc(input);
        if (isalpha(c)) {
            if (length < sizeof word - 1)
                word[length++] = (char)tolower(c);
            continue;
        }
        if (length) {
            word[length] = '\0';
            note(word, line);
            places++;
            length = 0;
        }
        line += c == '\n';
    } while (c != EOF);
    fclose(input);
    struct symbol **all = allocated(symbols * sizeof *all), **end = all;
    for (unsigned i = 0; i < slots; i++)
        for (struct symbol *one = table[i]; one; one = one->next)
            *end++ = one;
    qsort(all, symbols, sizeof *all, by_name);
    for (unsigned i = 0; i < symbols; i++) {
        fprintf(output, "%-12s %3d:", all[i]->name, all[i]->count);
        for (struct place *place = all[i]->first, *next; place; place = next) {
            fprintf(output, " %d", place->line);
            next = place->next;
            free(place);
        }
        putc('\n', output);
        free(all[i]->name);
        free(all[i]);
    }
    printf("%u words at %d places, %u slots\n", symbols, places, slots);
    free(all);
    free(table);
    return fclose(output) != 0;
}
