/* Finds the lines of a text that regular expressions match, by all states at once (Thompson, 1968).
 * match PATTERNS TEXT OUTPUT: one expression a line, of letters . [a-z] * + ? | ( ) ^ and $. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SPLIT, RANGE, BEGIN_OF_LINE, END_OF_LINE, MATCH };

struct state {
    enum kind kind;
    unsigned char set[32];
    struct state *next, *other;
    unsigned visited;
};

/* The open ends of a piece are linked through the pointers themselves. */
struct piece {
    struct state *first;
    struct state ***open;
    size_t count;
};

static const char *pattern;

static void fail(const char *what) {
    fprintf(stderr, "%s at \"%s\"\n", what, pattern);
    exit(1);
}

static struct state *new_state(enum kind kind) {
    struct state *made = calloc(1, sizeof *made);
    if (made == NULL)
        fail("no memory");
    made->kind = kind;
    return made;
}

static struct piece with_open(struct state *first, struct state **open) {
    struct piece made = {first, malloc(sizeof(struct state **)), 1};
    if (made.open == NULL)
        fail("no memory");
    made.open[0] = open;
    return made;
}

static void close_all(struct piece *of, struct state *to) {
    for (size_t i = 0; i < of->count; i++)
        *of->open[i] = to;
    free(of->open);
    of->open = NULL;
    of->count = 0;
}

static void take_open(struct piece *to, struct piece *from) {
    to->open = realloc(to->open, (to->count + from->count) * sizeof *to->open);
    if (to->open == NULL)
        fail("no memory");
    memcpy(to->open + to->count, from->open, from->count * sizeof *to->open);
    to->count += from->count;
    free(from->open);
}

static void add(unsigned char *set, int c) {
    set[c >> 3] |= (unsigned char)(1 << (c & 7));
}

static struct piece alternatives(void);

static struct piece atom(void) {
    struct state *made;
    int c = (unsigned char)*pattern++;
    if (c == '(') {
        struct piece inner = alternatives();
        if (*pattern++ != ')')
            fail("no )");
        return inner;
    }
    if (c == '^' || c == '$') {
        made = new_state(c == '^' ? BEGIN_OF_LINE : END_OF_LINE);
        return with_open(made, &made->next);
    }
    made = new_state(RANGE);
    if (c == '.') {
        memset(made->set, 0xFF, sizeof made->set);
    } else if (c == '[') {
        int inverted = *pattern == '^';
        pattern += inverted;
        for (; *pattern && *pattern != ']'; pattern++) {
            int from = (unsigned char)*pattern, to = from;
            if (pattern[1] == '-' && pattern[2] != ']') {
                to = (unsigned char)pattern[2];
                pattern += 2;
            }
            for (int one = from; one <= to; one++)
                add(made->set, one);
        }
        if (*pattern++ != ']')
            fail("no ]");
        for (size_t i = 0; inverted && i < sizeof made->set; i++)
            made->set[i] ^= 0xFF;
    } else {
        add(made->set, c);
    }
    return with_open(made, &made->next);
}

static struct piece repeated(void) {
    struct piece one = atom();
    while (*pattern && strchr("*+?", *pattern)) {
        struct state *split = new_state(SPLIT);
        struct piece result = with_open(*pattern == '+' ? one.first : split, &split->other);
        split->next = one.first;
        if (*pattern == '?')
            take_open(&result, &one);
        else
            close_all(&one, split);
        one = result;
        pattern++;
    }
    return one;
}

static struct piece sequence(void) {
    struct piece all = repeated();
    while (*pattern && *pattern != '|' && *pattern != ')') {
        struct piece next = repeated();
        close_all(&all, next.first);
        all.open = next.open;
        all.count = next.count;
    }
    return all;
}

static struct piece alternatives(void) {
    struct piece one = sequence();
    while (*pattern == '|') {
        struct state *split = new_state(SPLIT);
        pattern++;
        struct piece other = sequence();
        split->next = one.first;
        split->other = other.first;
        take_open(&one, &other);
        one.first = split;
    }
    return one;
}

enum { ACTIVE = 256 };

static struct state *active[2][ACTIVE];
static int counts[2];
static unsigned step;
static const char *line;

static int enter(struct state *state, int list, const char *at) {
    if (state->visited == step)
        return 0;
    state->visited = step;
    switch (state->kind) {
    case SPLIT:
        return enter(state->next, list, at) | enter(state->other, list, at);
    case BEGIN_OF_LINE:
        return at == line && enter(state->next, list, at);
    case END_OF_LINE:
        return *at == '\0' && enter(state->next, list, at);
    case MATCH:
        return 1;
    case RANGE:
        if (counts[list] < ACTIVE)
            active[list][counts[list]++] = state;
    }
    return 0;
}

static int matches(struct state *first) {
    int now = 0;
    counts[0] = 0;
    step++;
    for (const char *at = line;; at++) {
        int c = (unsigned char)*at;
        if (enter(first, now, at))
            return 1;
        if (c == '\0')
            return 0;
        step++;
        counts[!now] = 0;
        for (int i = 0; i < counts[now]; i++) {
            struct state *one = active[now][i];
            if (one->set[c >> 3] >> (c & 7) & 1 && enter(one->next, !now, at + 1))
                return 1;
        }
        now = !now;
    }
}

int main(int argc, char **argv) {
    static char expression[128], text[256];
    if (argc != 4)
        return 2;
    FILE *patterns = fopen(argv[1], "r");
    FILE *output = fopen(argv[3], "w");
    if (patterns == NULL || output == NULL)
        return 1;
    while (fgets(expression, sizeof expression, patterns)) {
        FILE *input = fopen(argv[2], "r");
        int number = 0, found = 0;
        if (input == NULL)
            return 1;
        expression[strcspn(expression, "\n")] = '\0';
        pattern = expression;
        struct piece all = alternatives();
        if (*pattern)
            fail("something is left");
        close_all(&all, new_state(MATCH));
        while (fgets(text, sizeof text, input)) {
            number++;
            text[strcspn(text, "\n")] = '\0';
            line = text;
            if (matches(all.first)) {
                fprintf(output, "%d:%s\n", number, text);
                found++;
            }
        }
        fclose(input);
        printf("%-20s %5d of %d\n", expression, found, number);
    }
    fclose(patterns);
    return fclose(output) != 0;
}
