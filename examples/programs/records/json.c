/* Reads JSON into a tree, and writes it again with its keys in order and indented.
 * json INPUT OUTPUT */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { OBJECT, ARRAY, STRING, NUMBER, WORD };

struct value {
    enum kind kind;
    char *key, *text;
    struct value *first, *next;
};

static FILE *input;

static int next_character(void) {
    int c = getc(input);
    while (isspace(c))
        c = getc(input);
    return c;
}

static void expect(int wanted) {
    if (next_character() != wanted) {
        fprintf(stderr, "no %c\n", wanted);
        exit(1);
    }
}

static char *copy(const char *text, size_t length) {
    char *made = malloc(length + 1);
    if (made == NULL)
        exit(1);
    memcpy(made, text, length);
    made[length] = '\0';
    return made;
}

/* Reads up to the quote that ends it; escapes stay as they are. */
static char *read_string(void) {
    char text[256];
    size_t length = 0;
    int c;
    while ((c = getc(input)) != EOF && c != '"' && length < sizeof text - 2) {
        text[length++] = (char)c;
        if (c == '\\')
            text[length++] = (char)getc(input);
    }
    return copy(text, length);
}

static struct value *read_value(void);

static void read_fields(struct value *of, int end) {
    struct value **last = &of->first;
    int c = next_character();
    if (c == end)
        return;
    ungetc(c, input);
    do {
        char *key = NULL;
        if (end == '}') {
            expect('"');
            key = read_string();
            expect(':');
        }
        *last = read_value();
        (*last)->key = key;
        last = &(*last)->next;
    } while ((c = next_character()) == ',');
    if (c != end)
        exit(1);
}

static struct value *read_value(void) {
    struct value *value = calloc(1, sizeof *value);
    char text[64];
    size_t length = 0;
    int c = next_character();
    if (value == NULL || c == EOF)
        exit(1);
    switch (c) {
    case '{':
        value->kind = OBJECT;
        read_fields(value, '}');
        return value;
    case '[':
        value->kind = ARRAY;
        read_fields(value, ']');
        return value;
    case '"':
        value->kind = STRING;
        value->text = read_string();
        return value;
    }
    value->kind = isdigit(c) || c == '-' ? NUMBER : WORD;
    for (; isalnum(c) || c == '-' || c == '+' || c == '.'; c = getc(input))
        if (length < sizeof text)
            text[length++] = (char)c;
    ungetc(c, input);
    value->text = copy(text, length);
    return value;
}

/* By merging: fields of objects by their keys. */
static struct value *sorted(struct value *list) {
    struct value *half = list, *result = NULL, **last = &result;
    if (list == NULL || list->next == NULL)
        return list;
    for (struct value *end = list->next; end && end->next; end = end->next->next)
        half = half->next;
    struct value *second = half->next;
    half->next = NULL;
    list = sorted(list);
    second = sorted(second);
    while (list && second) {
        struct value **from = strcmp(list->key, second->key) <= 0 ? &list : &second;
        *last = *from;
        last = &(*from)->next;
        *from = *last;
    }
    *last = list ? list : second;
    return result;
}

static void write_value(FILE *output, struct value *value, int depth) {
    if (value->key)
        fprintf(output, "\"%s\": ", value->key);
    if (value->kind > ARRAY) {
        fprintf(output, value->kind == STRING ? "\"%s\"" : "%s", value->text);
        return;
    }
    if (value->kind == OBJECT)
        value->first = sorted(value->first);
    fputc(value->kind == OBJECT ? '{' : '[', output);
    for (struct value *field = value->first; field; field = field->next) {
        fprintf(output, "%s\n%*s", field == value->first ? "" : ",", 2 * depth + 2, "");
        write_value(output, field, depth + 1);
    }
    if (value->first)
        fprintf(output, "\n%*s", 2 * depth, "");
    fputc(value->kind == OBJECT ? '}' : ']', output);
}

static void release(struct value *value) {
    while (value) {
        struct value *next = value->next;
        release(value->first);
        free(value->key);
        free(value->text);
        free(value);
        value = next;
    }
}

int main(int argc, char **argv) {
    if (argc != 3 || (input = fopen(argv[1], "r")) == NULL)
        return 2;
    struct value *all = read_value();
    fclose(input);
    FILE *output = fopen(argv[2], "w");
    if (output == NULL)
        return 1;
    write_value(output, all, 0);
    fputc('\n', output);
    release(all);
    return fclose(output) != 0;
}
