/* A small Lisp; an error ends the expression, not the program.   lisp SOURCE OUTPUT */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum type { NUMBER, SYMBOL, PAIR, BUILTIN, FUNCTION };

struct value;
typedef struct value *builtin(struct value *arguments);

struct value {
    enum type type;
    union {
        long number;
        char *name;
        builtin *call;
        struct {
            struct value *first, *rest;
        };
        struct {
            struct value *parameters, *body, *scope;
        };
    };
};

static jmp_buf failed;
static const char *reason;
static FILE *input, *output;
static struct value *symbols, *global, *truth, *quote, *lambda, *define, *branch;
static long made;

static void *fail(const char *why) {
    reason = why;
    longjmp(failed, 1);
}

static struct value *new_value(enum type type) {
    struct value *one = malloc(sizeof *one);
    if (one == NULL) {
        fputs("no memory\n", stderr);
        exit(1);
    }
    one->type = type;
    made++;
    return one;
}

static struct value *pair(struct value *first, struct value *rest) {
    struct value *one = new_value(PAIR);
    one->first = first;
    one->rest = rest;
    return one;
}

static struct value *number(long of) {
    struct value *one = new_value(NUMBER);
    one->number = of;
    return one;
}

static struct value *symbol(const char *name) {
    for (struct value *at = symbols; at; at = at->rest)
        if (strcmp(at->first->name, name) == 0)
            return at->first;
    struct value *one = new_value(SYMBOL);
    one->name = malloc(strlen(name) + 1);
    if (one->name == NULL)
        exit(1);
    strcpy(one->name, name);
    symbols = pair(one, symbols);
    return one;
}

static struct value *first(struct value *of) {
    return of && of->type == PAIR ? of->first : fail("no pair");
}

static struct value *rest(struct value *of) {
    return of && of->type == PAIR ? of->rest : fail("no pair");
}

static long integer(struct value *of) {
    if (of == NULL || of->type != NUMBER)
        fail("no number");
    return of->number;
}

/* A scope is a list of pairs of a name and its value. */
static struct value *find(struct value *name, struct value *scope) {
    for (; scope; scope = scope->rest)
        if (scope->first->first == name)
            return scope->first;
    for (scope = global; scope; scope = scope->rest)
        if (scope->first->first == name)
            return scope->first;
    return fail("unknown name");
}

static struct value *evaluate(struct value *what, struct value *scope);

static struct value *evaluated(struct value *list, struct value *scope) {
    if (list == NULL)
        return NULL;
    struct value *one = evaluate(first(list), scope);
    return pair(one, evaluated(list->rest, scope));
}

static struct value *apply(struct value *what, struct value *arguments) {
    if (what && what->type == BUILTIN)
        return what->call(arguments);
    if (what == NULL || what->type != FUNCTION)
        return fail("no function");
    struct value *scope = what->scope;
    for (struct value *name = what->parameters; name; name = name->rest) {
        scope = pair(pair(name->first, first(arguments)), scope);
        arguments = arguments->rest;
    }
    return evaluate(what->body, scope);
}

static struct value *evaluate(struct value *what, struct value *scope) {
    while (what && what->type == PAIR && what->first == branch) {
        struct value *ways = rest(rest(what));
        what = evaluate(first(what->rest), scope) ? first(ways) : first(rest(ways));
    }
    if (what == NULL || what->type == NUMBER)
        return what;
    if (what->type == SYMBOL)
        return find(what, scope)->rest;
    if (what->first == quote)
        return first(what->rest);
    if (what->first == lambda) {
        struct value *one = new_value(FUNCTION);
        one->parameters = first(what->rest);
        one->body = first(rest(what->rest));
        one->scope = scope;
        return one;
    }
    if (what->first == define) {
        struct value *name = first(what->rest), *entry = pair(name, NULL);
        global = pair(entry, global);
        entry->rest = evaluate(first(rest(what->rest)), scope);
        return name;
    }
    struct value *function = evaluate(what->first, scope);
    return apply(function, evaluated(what->rest, scope));
}

static struct value *add(struct value *a) {
    return number(integer(first(a)) + integer(first(rest(a))));
}
static struct value *subtract(struct value *a) {
    return number(integer(first(a)) - integer(first(rest(a))));
}
static struct value *multiply(struct value *a) {
    return number(integer(first(a)) * integer(first(rest(a))));
}
static struct value *less(struct value *a) {
    return integer(first(a)) < integer(first(rest(a))) ? truth : NULL;
}
static struct value *head(struct value *a) {
    return first(first(a));
}
static struct value *tail(struct value *a) {
    return rest(first(a));
}
static struct value *join(struct value *a) {
    return pair(first(a), first(rest(a)));
}
static struct value *is_empty(struct value *a) {
    return first(a) == NULL ? truth : NULL;
}

static struct value *divide(struct value *a) {
    long divisor = integer(first(rest(a)));
    return divisor ? number(integer(first(a)) / divisor) : fail("division by zero");
}

static int next(void) {
    int c = getc(input);
    while (isspace(c))
        c = getc(input);
    return c;
}

static struct value *read_value(int c) {
    char text[32];
    size_t length = 0;
    if (c == '(') {
        struct value *list = NULL, **last = &list;
        while ((c = next()) != ')') {
            if (c == EOF)
                return fail("no )");
            *last = pair(read_value(c), NULL);
            last = &(*last)->rest;
        }
        return list;
    }
    if (c == '\'')
        return pair(quote, pair(read_value(next()), NULL));
    for (; c != EOF && !isspace(c) && c != '(' && c != ')'; c = getc(input))
        if (length < sizeof text - 1)
            text[length++] = (char)c;
    ungetc(c, input);
    text[length] = '\0';
    char *end;
    long value = strtol(text, &end, 10);
    return *end == '\0' ? number(value) : symbol(text);
}

static void print(struct value *what) {
    if (what == NULL) {
        fputs("()", output);
    } else if (what->type == NUMBER) {
        fprintf(output, "%ld", what->number);
    } else if (what->type == SYMBOL) {
        fputs(what->name, output);
    } else if (what->type == PAIR) {
        char before = '(';
        for (; what && what->type == PAIR; what = what->rest) {
            putc(before, output);
            print(what->first);
            before = ' ';
        }
        putc(')', output);
    } else {
        fputs("function", output);
    }
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        builtin *call;
    } builtins[] = {
        {"+", add},     {"-", subtract}, {"*", multiply}, {"/", divide},       {"<", less},
        {"head", head}, {"tail", tail},  {"join", join},  {"empty", is_empty},
    };
    volatile int errors = 0;
    int c;
    if (argc != 3)
        return 2;
    input = fopen(argv[1], "r");
    output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    truth = symbol("true");
    quote = symbol("quote");
    lambda = symbol("lambda");
    define = symbol("define");
    branch = symbol("if");
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        struct value *one = new_value(BUILTIN);
        one->call = builtins[i].call;
        global = pair(pair(symbol(builtins[i].name), one), global);
    }
    while ((c = next()) != EOF) {
        if (setjmp(failed)) {
            fprintf(output, "error: %s\n", reason);
            errors++;
            continue;
        }
        print(evaluate(read_value(c), NULL));
        putc('\n', output);
    }
    printf("%ld values, %d errors\n", made, errors);
    fclose(input);
    return fclose(output) != 0;
}
