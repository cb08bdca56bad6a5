/* Works out a sheet of cells with formulas, each when another one asks for it.
 * sheet CELLS OUTPUT */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 8
#define ROWS 40
#define NESTED 60

typedef enum { NOTHING, TEXT, NUMBER, FORMULA, BUSY, WRONG } state_t;

typedef struct {
    state_t state;
    double value;
    char *text;
    const char *wrong;
} cell_t;

typedef struct {
    const char *name;
    double start;
    double (*step)(double, double);
    int divide;
} function_t;

static double add(double a, double b) {
    return a + b;
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

static double counted(double a, double b) {
    (void)b;
    return a + 1;
}

static const function_t functions[] = {
    {"SUM", 0, add, 0},         {"AVERAGE", 0, add, 1},   {"MAX", -1e300, larger, 0},
    {"MIN", 1e300, smaller, 0}, {"COUNT", 0, counted, 0},
};

static cell_t cells[ROWS][COLUMNS];
static jmp_buf *trap;
static const char *reason;
static int depth;
static unsigned evaluated, deepest;

static void fail(const char *why) {
    reason = why;
    longjmp(*trap, 1);
}

static double compared(const char **at);
static double cell_value(cell_t *cell);

static void blanks(const char **at) {
    while (**at == ' ')
        (*at)++;
}

static int take(const char **at, char sign) {
    blanks(at);
    if (**at != sign)
        return 0;
    (*at)++;
    return 1;
}

static cell_t *reference(const char **at) {
    int column = *(*at)++ - 'A', row = 0;
    if (column < 0 || column >= COLUMNS || !isdigit((unsigned char)**at))
        fail("#NAME");
    while (isdigit((unsigned char)**at))
        row = row * 10 + *(*at)++ - '0';
    if (row < 1 || row > ROWS)
        fail("#REF");
    return &cells[row - 1][column];
}

static double over_range(const function_t *function, const char **at) {
    double result = function->start;
    int count = 0;
    do {
        blanks(at);
        cell_t *from = reference(at), *to = from;
        if (take(at, ':'))
            to = reference(at);
        int first = (int)(from - cells[0]), last = (int)(to - cells[0]);
        for (int row = first / COLUMNS; row <= last / COLUMNS; row++)
            for (int column = first % COLUMNS; column <= last % COLUMNS; column++) {
                cell_t *cell = &cells[row][column];
                if (cell->state == NOTHING || cell->state == TEXT)
                    continue;
                result = function->step(result, cell_value(cell));
                count++;
            }
    } while (take(at, ','));
    if (!function->divide)
        return result;
    if (!count)
        fail("#DIV/0");
    return result / count;
}

static double factor(const char **at) {
    blanks(at);
    if (take(at, '(')) {
        double value = compared(at);
        if (!take(at, ')'))
            fail("#SYNTAX");
        return value;
    }
    if (take(at, '-'))
        return -factor(at);
    if (isdigit((unsigned char)**at) || **at == '.') {
        char *end;
        double value = strtod(*at, &end);
        *at = end;
        return value;
    }
    if (isalpha((unsigned char)(*at)[0]) && isalpha((unsigned char)(*at)[1])) {
        char name[12];
        int size = 0;
        while (isalpha((unsigned char)**at) && size < 11)
            name[size++] = *(*at)++;
        name[size] = 0;
        if (!take(at, '('))
            fail("#SYNTAX");
        double value = 0;
        if (!strcmp(name, "IF")) {
            double condition = compared(at), yes, no;
            if (!take(at, ','))
                fail("#SYNTAX");
            yes = compared(at);
            if (!take(at, ','))
                fail("#SYNTAX");
            no = compared(at);
            value = condition != 0 ? yes : no;
        } else if (!strcmp(name, "SQRT")) {
            value = compared(at);
            if (value < 0)
                fail("#NUM");
            value = sqrt(value);
        } else {
            size_t i = 0, count = sizeof functions / sizeof *functions;
            while (i < count && strcmp(functions[i].name, name))
                i++;
            if (i == count)
                fail("#NAME");
            value = over_range(&functions[i], at);
        }
        if (!take(at, ')'))
            fail("#SYNTAX");
        return value;
    }
    if (isalpha((unsigned char)**at))
        return cell_value(reference(at));
    fail("#SYNTAX");
    return 0;
}

static double product(const char **at) {
    double value = factor(at);
    for (;;) {
        if (take(at, '*'))
            value *= factor(at);
        else if (take(at, '/')) {
            double by = factor(at);
            if (by == 0)
                fail("#DIV/0");
            value /= by;
        } else
            return value;
    }
}

static double sum(const char **at) {
    double value = product(at);
    for (;;) {
        if (take(at, '+'))
            value += product(at);
        else if (take(at, '-'))
            value -= product(at);
        else
            return value;
    }
}

static double compared(const char **at) {
    double value = sum(at);
    if (take(at, '<'))
        return value < sum(at);
    if (take(at, '>'))
        return value > sum(at);
    return value;
}

static double cell_value(cell_t *cell) {
    const char *at;
    switch (cell->state) {
    case NOTHING:
        return 0;
    case NUMBER:
        return cell->value;
    case TEXT:
        fail("#VALUE");
        return 0;
    case WRONG:
        fail(cell->wrong);
        return 0;
    case BUSY:
        fail("#CYCLE");
        return 0;
    case FORMULA:
        break;
    }
    if (depth == NESTED)
        fail("#DEEP");
    if (++depth > (int)deepest)
        deepest = (unsigned)depth;
    cell->state = BUSY;
    evaluated++;
    at = cell->text + 1;
    jmp_buf here, *before = trap;
    trap = &here;
    if (setjmp(here) == 0) {
        double value = compared(&at);
        blanks(&at);
        if (*at)
            fail("#SYNTAX");
        cell->value = value;
        cell->state = NUMBER;
        trap = before;
        depth--;
        return value;
    }
    trap = before;
    depth--;
    cell->state = WRONG;
    cell->wrong = reason;
    if (!trap)
        return 0;
    fail(reason);
    return 0;
}

/* Hundredths, half a one away from zero. */
static void put_value(FILE *output, double value) {
    char text[24];
    int size = 0;
    if (fabs(value) >= 1e15) {
        fprintf(output, "%12s", "#LARGE");
        return;
    }
    long long cents = llround(value * 100);
    int negative = cents < 0;
    if (negative)
        cents = -cents;
    do {
        text[size++] = (char)('0' + cents % 10);
        cents /= 10;
        if (size == 2)
            text[size++] = '.';
    } while (cents || size < 4);
    if (negative)
        text[size++] = '-';
    for (int i = size; i < 12; i++)
        fputc(' ', output);
    while (size--)
        fputc(text[size], output);
}

static void enter(char *line) {
    char *end, *text = strchr(line, ' ');
    const char *at = line;
    if (!text || line[0] < 'A' || line[0] >= 'A' + COLUMNS)
        return;
    int row = atoi(at + 1);
    if (row < 1 || row > ROWS)
        return;
    cell_t *cell = &cells[row - 1][line[0] - 'A'];
    text++;
    text[strcspn(text, "\n")] = 0;
    cell->text = malloc(strlen(text) + 1);
    if (!cell->text)
        exit(3);
    strcpy(cell->text, text);
    cell->value = strtod(text, &end);
    cell->state = *text == '=' ? FORMULA : end != text && !*end ? NUMBER : TEXT;
}

int main(int argc, char **argv) {
    char line[160];
    unsigned wrong = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r"), *output = fopen(argv[2], "w");
    if (!input || !output)
        return 1;
    while (fgets(line, sizeof line, input))
        enter(line);
    for (int row = 0; row < ROWS; row++)
        for (int column = 0; column < COLUMNS; column++) {
            cell_t *cell = &cells[row][column];
            if (cell->state == FORMULA)
                cell_value(cell);
            if (cell->state == WRONG) {
                fprintf(output, "%12s", cell->wrong);
                wrong++;
            } else if (cell->state == NUMBER)
                put_value(output, cell->value);
            else
                fprintf(output, "%12.11s", cell->state == TEXT ? cell->text : "");
            fputc(column < COLUMNS - 1 ? '|' : '\n', output);
        }
    printf("%u formulas worked out, %u wrong, %u deep\n", evaluated, wrong, deepest);
    fclose(input);
    return fclose(output) != 0;
}
