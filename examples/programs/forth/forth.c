/* A small Forth: words compile into threaded code of cells.   forth FILE */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define DEPTH 64
#define CELLS 4096
#define WORDS 128

typedef void (*primitive_t)(void);
typedef struct {
    char name[15];
    unsigned char immediate;
    primitive_t run;
    int body;
} word_t;

static int stack[DEPTH], returns[DEPTH], *sp = stack, *rp = returns;
static int cells[CELLS], here, ip;
static word_t words[WORDS];
static int known, compiling;
static FILE *source;
static char token[32];

#define PUSH(x) (*sp++ = (x))
#define POP() (*--sp)
#define BINARY(NAME, EXPRESSION)  \
    static void NAME(void) {      \
        int b = POP(), a = POP(); \
        PUSH(EXPRESSION);         \
    }

static void stop(const char *why) {
    printf("%s: %s\n", token, why);
    exit(1);
}

BINARY(plus, a + b)
BINARY(minus, a - b)
BINARY(times, (int)((unsigned)a *(unsigned)b))
BINARY(divide, b ? a / b : 0)
BINARY(modulo, b ? a % b : 0)
BINARY(and_, a &b)
BINARY(or_, a | b)
BINARY(xor_, a ^ b)
BINARY(less, -(a < b))
BINARY(equal, -(a == b))
BINARY(shift, b < 0 ? (int)((unsigned)a >> -b) : (int)((unsigned)a << b))

static void dup_(void) {
    int a = sp[-1];
    PUSH(a);
}
static void drop(void) {
    sp--;
}
static void swap(void) {
    int a = sp[-1];
    sp[-1] = sp[-2];
    sp[-2] = a;
}
static void over(void) {
    int a = sp[-2];
    PUSH(a);
}
static void rot(void) {
    int a = sp[-3];
    sp[-3] = sp[-2];
    sp[-2] = sp[-1];
    sp[-1] = a;
}
static void fetch(void) {
    sp[-1] = cells[sp[-1]];
}
static void store(void) {
    int at = POP();
    cells[at] = POP();
}
static void dot(void) {
    printf("%d ", POP());
}
static void cr(void) {
    putchar('\n');
}
static void allot(void) {
    here += POP();
}
static void lit(void) {
    PUSH(cells[ip++]);
}
static void branch(void) {
    ip = cells[ip];
}
static void branch0(void) {
    ip = POP() ? ip + 1 : cells[ip];
}
static void leave(void) {
    ip = *--rp;
}
static void do_(void) {
    int from = POP(), to = POP();
    *rp++ = to;
    *rp++ = from;
}
static void index_(void) {
    PUSH(rp[-1]);
}
static void outer(void) {
    PUSH(rp[-3]);
}
static void loop_(void) {
    if (++rp[-1] < rp[-2]) {
        ip = cells[ip];
    } else {
        rp -= 2;
        ip++;
    }
}

static int find(const char *name) {
    for (int i = known - 1; i >= 0; i--)
        if (strcasecmp(words[i].name, name) == 0)
            return i;
    return -1;
}

static void comma(int value) {
    if (here >= CELLS)
        stop("dictionary full");
    cells[here++] = value;
}

static void execute(int number) {
    int base = (int)(rp - returns);
    if (words[number].run) {
        words[number].run();
        return;
    }
    *rp++ = -1;
    ip = words[number].body;
    while (rp - returns > base) {
        word_t *word = &words[cells[ip++]];
        if (word->run) {
            word->run();
        } else {
            if (rp >= returns + DEPTH - 2)
                stop("too deep");
            *rp++ = ip;
            ip = word->body;
        }
    }
}

static int next(void) {
    return fscanf(source, "%31s", token) == 1;
}

static void define(const char *name, primitive_t run, int immediate) {
    word_t *word = &words[known++];
    if (known == WORDS)
        stop("too many words");
    strncpy(word->name, name, sizeof word->name - 1);
    word->run = run;
    word->immediate = (unsigned char)immediate;
    word->body = here;
}

static void emit(const char *name) {
    comma(find(name));
}
static void colon(void) {
    next();
    define(token, NULL, 0);
    compiling = 1;
}
static void semicolon(void) {
    emit("exit");
    compiling = 0;
}
static void if_(void) {
    emit("0branch");
    PUSH(here);
    comma(0);
}
static void else_(void) {
    emit("branch");
    comma(0);
    cells[POP()] = here;
    PUSH(here - 1);
}
static void then(void) {
    cells[POP()] = here;
}
static void begin(void) {
    PUSH(here);
}
static void until(void) {
    emit("0branch");
    comma(POP());
}
static void while_(void) {
    if_();
    swap();
}
static void repeat(void) {
    emit("branch");
    comma(POP());
    then();
}
static void do_word(void) {
    emit("(do)");
    PUSH(here);
}
static void loop_word(void) {
    emit("(loop)");
    comma(POP());
}
static void comment(void) {
    int c;
    while ((c = fgetc(source)) != ')' && c != EOF) {
    }
}
static void variable(void) {
    next();
    define(token, NULL, 0);
    emit("lit");
    comma(here + 2);
    emit("exit");
    comma(0);
}

static const struct {
    const char *name;
    primitive_t run;
    char immediate;
} BUILT_IN[] = {
    {"+", plus, 0},       {"-", minus, 0},           {"*", times, 0},       {"/", divide, 0},
    {"mod", modulo, 0},   {"and", and_, 0},          {"or", or_, 0},        {"xor", xor_, 0},
    {"<", less, 0},       {"=", equal, 0},           {"shift", shift, 0},   {"dup", dup_, 0},
    {"drop", drop, 0},    {"swap", swap, 0},         {"over", over, 0},     {"rot", rot, 0},
    {"@", fetch, 0},      {"!", store, 0},           {".", dot, 0},         {"cr", cr, 0},
    {"allot", allot, 0},  {"lit", lit, 0},           {"branch", branch, 0}, {"0branch", branch0, 0},
    {"exit", leave, 0},   {"(do)", do_, 0},          {"(loop)", loop_, 0},  {"i", index_, 0},
    {"j", outer, 0},      {":", colon, 0},           {";", semicolon, 1},   {"if", if_, 1},
    {"else", else_, 1},   {"then", then, 1},         {"begin", begin, 1},   {"until", until, 1},
    {"while", while_, 1}, {"repeat", repeat, 1},     {"do", do_word, 1},    {"loop", loop_word, 1},
    {"(", comment, 1},    {"variable", variable, 0},
};

int main(int argc, char **argv) {
    if (argc != 2 || !(source = fopen(argv[1], "r")))
        return 2;
    for (unsigned i = 0; i < sizeof BUILT_IN / sizeof *BUILT_IN; i++)
        define(BUILT_IN[i].name, BUILT_IN[i].run, BUILT_IN[i].immediate);
    while (next()) {
        int number = find(token);
        char *end;
        if (number >= 0) {
            if (compiling && !words[number].immediate)
                comma(number);
            else
                execute(number);
        } else {
            int value = (int)strtol(token, &end, 0);
            if (*end)
                stop("unknown");
            if (compiling) {
                emit("lit");
                comma(value);
            } else {
                PUSH(value);
            }
        }
        if (sp < stack || sp > stack + DEPTH - 4)
            stop("stack");
    }
    return sp != stack;
}
