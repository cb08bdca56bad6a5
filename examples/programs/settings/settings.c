/* Reads settings by section, resolves ${names} within them and writes them in order.
 * settings INPUT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
    char *section, *name, *value;
};

static struct setting *settings;
static size_t count, room;

static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    if (made == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    return strcpy(made, text);
}

static char *trimmed(char *text) {
    char *end = text + strlen(text);
    while (isspace((unsigned char)*text))
        text++;
    while (end > text && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return text;
}

static struct setting *find(const char *section, const char *name) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(settings[i].name, name) == 0 && strcmp(settings[i].section, section) == 0)
            return &settings[i];
    return NULL;
}

static void set(const char *section, const char *name, const char *value) {
    struct setting *one = find(section, name);
    if (one) {
        free(one->value);
        one->value = copy(value);
        return;
    }
    if (count == room) {
        room = room ? 2 * room : 8;
        settings = realloc(settings, room * sizeof *settings);
        if (settings == NULL)
            exit(1);
    }
    settings[count].section = copy(section);
    settings[count].name = copy(name);
    settings[count++].value = copy(value);
}

/* Replaces each ${name} by what it stands for, in the same section or in [common]. */
static void resolve(struct setting *one, int depth) {
    static char result[512];
    char *open = strstr(one->value, "${"), *close = open ? strchr(open, '}') : NULL;
    if (close == NULL || depth > 8)
        return;
    *close = '\0';
    struct setting *other = find(one->section, open + 2);
    if (other == NULL)
        other = find("common", open + 2);
    *open = '\0';
    snprintf(result, sizeof result, "%s%s%s", one->value, other ? other->value : "?", close + 1);
    free(one->value);
    one->value = copy(result);
    resolve(one, depth + 1);
}

static int in_order(const void *one, const void *other) {
    const struct setting *a = one, *b = other;
    int order = strcmp(a->section, b->section);
    return order ? order : strcmp(a->name, b->name);
}

static const char *kind(const char *value, long *number) {
    char *end;
    *number = strtol(value, &end, 0);
    if (end != value && *end == '\0')
        return "number";
    if (strcmp(value, "yes") == 0 || strcmp(value, "no") == 0)
        return "switch";
    return "text";
}

int main(int argc, char **argv) {
    char line[256], section[32] = "common";
    long sum = 0, number;
    int numbered = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    for (int at = 1; fgets(line, sizeof line, input); at++) {
        char *text = trimmed(line), *equals;
        if (*text == '\0' || *text == ';' || *text == '#')
            continue;
        if (*text == '[' && text[strlen(text) - 1] == ']') {
            text[strlen(text) - 1] = '\0';
            strncpy(section, text + 1, sizeof section - 1);
        } else if ((equals = strchr(text, '=')) != NULL) {
            *equals = '\0';
            set(section, trimmed(text), trimmed(equals + 1));
        } else {
            printf("line %d is no setting: %s\n", at, text);
        }
    }
    for (size_t i = 0; i < count; i++)
        resolve(&settings[i], 0);
    qsort(settings, count, sizeof *settings, in_order);
    *section = '\0';
    for (size_t i = 0; i < count; i++) {
        struct setting *one = &settings[i];
        const char *of = kind(one->value, &number);
        if (strcmp(section, one->section) != 0) {
            strcpy(section, one->section);
            fprintf(output, "[%s]\n", section);
        }
        fprintf(output, "%-16s = %s ; %s\n", one->name, one->value, of);
        if (*of == 'n') {
            sum += number;
            numbered++;
        }
    }
    printf("%u settings, %d numbers, sum %ld\n", (unsigned)count, numbered, sum);
    for (size_t i = 0; i < count; i++) {
        free(settings[i].section);
        free(settings[i].name);
        free(settings[i].value);
    }
    free(settings);
    fclose(input);
    return fclose(output) != 0;
}
