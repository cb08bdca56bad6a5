/* Prints the lines of files that match a regular expression, with their numbers: . * + ? [a-z] ^ $
 * and \ for what follows.   grep EXPRESSION FILE... */
#include <stdio.h>
#include <string.h>

static int match_here(const char *expression, const char *text);

/* The length of the first element: a letter, a dot, a set or an escape. */
static int element_length(const char *expression) {
    if (*expression == '\\' && expression[1])
        return 2;
    if (*expression == '[') {
        const char *end = strchr(expression + 1, ']');
        return end ? (int)(end - expression) + 1 : 1;
    }
    return 1;
}

static int in_set(const char *set, const char *end, char c) {
    int other = *set == '^';
    for (set += other; set < end; set++) {
        if (end - set > 2 && set[1] == '-') {
            if (*set <= c && c <= set[2])
                return !other;
            set += 2;
        } else if (*set == c) {
            return !other;
        }
    }
    return other;
}

static int matches_one(const char *element, int length, char c) {
    if (c == '\0')
        return 0;
    if (length == 2)
        return element[1] == c;
    if (length > 2)
        return in_set(element + 1, element + length - 1, c);
    return *element == '.' || *element == c;
}

/* As many as there are, then fewer, until the rest matches. */
static int match_repeated(const char *element, int length, int least, const char *rest,
                          const char *text) {
    int count = 0;
    while (matches_one(element, length, text[count]))
        count++;
    for (; count >= least; count--)
        if (match_here(rest, text + count))
            return 1;
    return 0;
}

static int match_here(const char *expression, const char *text) {
    int length;
    if (*expression == '\0')
        return 1;
    if (*expression == '$' && expression[1] == '\0')
        return *text == '\0';
    length = element_length(expression);
    switch (expression[length]) {
    case '*':
        return match_repeated(expression, length, 0, expression + length + 1, text);
    case '+':
        return match_repeated(expression, length, 1, expression + length + 1, text);
    case '?':
        if (matches_one(expression, length, *text) && match_here(expression + length + 1, text + 1))
            return 1;
        return match_here(expression + length + 1, text);
    default:
        return matches_one(expression, length, *text) && match_here(expression + length, text + 1);
    }
}

static int match(const char *expression, const char *text) {
    if (*expression == '^')
        return match_here(expression + 1, text);
    do
        if (match_here(expression, text))
            return 1;
    while (*text++);
    return 0;
}

int main(int argc, char **argv) {
    static char line[512];
    int found = 0;
    if (argc < 3)
        return 2;
    for (int i = 2; i < argc; i++) {
        FILE *file = fopen(argv[i], "r");
        if (file == NULL)
            return 2;
        for (int number = 1; fgets(line, sizeof line, file); number++) {
            line[strcspn(line, "\n")] = '\0';
            if (match(argv[1], line)) {
                printf("%s:%d:%s\n", argv[i], number, line);
                found = 1;
            }
        }
        fclose(file);
    }
    return !found;
}
