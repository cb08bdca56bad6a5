/* A device's shell: reads commands, finds them in a sorted table, and keeps variables.
 * shell COMMANDS OUTPUT */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WORDS 12
#define VARIABLES 64

typedef struct {
    const char *name;
    int least, most;
    const char *(*run)(int count, char **words);
} command_t;

typedef struct {
    char *name, *value;
} variable_t;

static variable_t variables[VARIABLES];
static int known;
static char result[160];
static FILE *output;

static int by_name(const void *a, const void *b) {
    return strcasecmp(((const variable_t *)a)->name, ((const variable_t *)b)->name);
}

static variable_t *find(const char *name) {
    variable_t key = {(char *)name, NULL};
    return bsearch(&key, variables, (size_t)known, sizeof *variables, by_name);
}

static char *copy(const char *text) {
    char *made = malloc(strlen(text) + 1);
    return made ? strcpy(made, text) : NULL;
}

static const char *run_clear(int count, char **words) {
    for (int i = 1; i < count; i++) {
        variable_t *one = find(words[i]);
        if (!one)
            return "no such variable";
        free(one->name);
        free(one->value);
        memmove(one, one + 1, (size_t)(variables + --known - one) * sizeof *one);
    }
    return "cleared";
}

static const char *run_echo(int count, char **words) {
    *result = 0;
    for (int i = 1; i < count; i++) {
        const char *word = words[i];
        if (*word == '$') {
            variable_t *one = find(word + 1);
            word = one ? one->value : "?";
        }
        if (strlen(result) + strlen(word) + 2 > sizeof result)
            return "too long";
        if (i > 1)
            strcat(result, " ");
        strcat(result, word);
    }
    return result;
}

static const char *run_find(int count, char **words) {
    int found = 0;
    (void)count;
    for (int i = 0; i < known; i++)
        if (strstr(variables[i].value, words[1]) || strpbrk(variables[i].name, words[1]))
            found++;
    snprintf(result, sizeof result, "%d of %d", found, known);
    return result;
}

static const char *run_hex(int count, char **words) {
    char *at = result;
    for (int i = 1; i < count; i++) {
        char *end;
        errno = 0;
        long value = strtol(words[i], &end, 0);
        if (*end || end == words[i])
            return "not a number";
        if (errno || value < -32768 || value > 65535)
            return "out of range";
        at += sprintf(at, "%s0x%04lX", i > 1 ? " " : "", (unsigned long)value & 0xFFFF);
    }
    return result;
}

static const char *run_set(int count, char **words) {
    variable_t *one = find(words[1]);
    if (strspn(words[1], "abcdefghijklmnopqrstuvwxyz") != strlen(words[1]))
        return "not a name";
    char *value = copy(run_echo(count - 1, words + 1));
    if (one) {
        free(one->value);
        one->value = value;
    } else {
        if (known == VARIABLES)
            return "full";
        variables[known].name = copy(words[1]);
        variables[known++].value = value;
        qsort(variables, (size_t)known, sizeof *variables, by_name);
    }
    return "set";
}

static const char *run_sum(int count, char **words) {
    double sum = 0;
    long cents;
    for (int i = 1; i < count; i++) {
        char *end;
        sum += strtod(words[i], &end);
        if (*end)
            return "not a number";
    }
    cents = lround(sum * 100);
    snprintf(result, sizeof result, "%s%ld.%02ld", cents < 0 ? "-" : "", labs(cents) / 100,
             labs(cents) % 100);
    return result;
}

static int by_text(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static const char *run_sort(int count, char **words) {
    qsort(words + 1, (size_t)count - 1, sizeof *words, by_text);
    return run_echo(count, words);
}

static const char *run_upper(int count, char **words) {
    run_echo(count, words);
    for (char *at = result; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return result;
}

static const command_t COMMANDS[] = {
    {"clear", 2, WORDS, run_clear}, {"echo", 1, WORDS, run_echo},   {"find", 2, 2, run_find},
    {"hex", 2, 8, run_hex},         {"set", 3, WORDS, run_set},     {"sort", 2, WORDS, run_sort},
    {"sum", 2, WORDS, run_sum},     {"upper", 2, WORDS, run_upper},
};

static int command_by_name(const void *key, const void *one) {
    return strcasecmp(key, ((const command_t *)one)->name);
}

static const char *run(char *line) {
    char *words[WORDS], *rest;
    int count = 0;
    line[strcspn(line, "#\r\n")] = 0;
    for (char *word = strtok_r(line, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest)) {
        if (count == WORDS)
            return "too many words";
        words[count++] = word;
    }
    if (count == 0)
        return NULL;
    const command_t *command = bsearch(words[0], COMMANDS, sizeof COMMANDS / sizeof *COMMANDS,
                                       sizeof *COMMANDS, command_by_name);
    if (!command)
        return "no such command";
    if (count < command->least || count > command->most)
        return "wrong number of words";
    return command->run(count, words);
}

int main(int argc, char **argv) {
    char line[160];
    int lines = 0, answered = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input)) {
        lines++;
        const char *answer = run(line);
        if (answer) {
            fprintf(output, "%3d> %s\n", lines, answer);
            answered++;
        }
    }
    printf("%d lines, %d answers, %d variables\n", lines, answered, known);
    fclose(input);
    return fclose(output) != 0;
}
