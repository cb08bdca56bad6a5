/* Calculates expressions, one a line, with variables and functions.   calculate INPUT OUTPUT
 *
 * An error in a line is reported, and the next line goes on. */
#include <ctype.h>
#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at;
static jmp_buf failed;
static double variables[26];

static double sum(void);

static void fail(const char *why) __attribute__((noreturn));
static void fail(const char *why) {
    printf("%s at '%.8s'\n", why, at);
    longjmp(failed, 1);
}

static int next_is(char c) {
    while (*at == ' ')
        at++;
    if (*at != c)
        return 0;
    at++;
    return 1;
}

static double negated(double x) {
    return -x;
}

static const struct {
    const char *name;
    double (*function)(double);
} functions[] = {{"sqrt", sqrt}, {"sin", sin}, {"exp", exp}, {"neg", negated}, {"floor", floor}};

static double call(void) {
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t length = strlen(functions[i].name);
        if (strncmp(at, functions[i].name, length) == 0 && at[length] == '(') {
            at += length + 1;
            double x = sum();
            if (!next_is(')'))
                fail("no )");
            return functions[i].function(x);
        }
    }
    if (!islower((unsigned char)*at))
        fail("no value");
    return variables[*at++ - 'a'];
}

static double factor(void) {
    if (next_is('-'))
        return -factor();
    if (next_is('(')) {
        double x = sum();
        if (!next_is(')'))
            fail("no )");
        return x;
    }
    if (isdigit((unsigned char)*at)) {
        char *end;
        double x = strtod(at, &end);
        at = end;
        return x;
    }
    return call();
}

static double product(void) {
    double x = factor();
    for (;;) {
        if (next_is('*')) {
            x *= factor();
        } else if (next_is('/')) {
            double y = factor();
            if (y == 0)
                fail("division by zero");
            x /= y;
        } else {
            return x;
        }
    }
}

static double sum(void) {
    double x = product();
    for (;;) {
        if (next_is('+'))
            x += product();
        else if (next_is('-'))
            x -= product();
        else
            return x;
    }
}

int main(int argc, char **argv) {
    static char line[160];
    volatile int wrong = 0;
    if (argc != 3)
        return 2;
    FILE *input = fopen(argv[1], "r");
    FILE *output = fopen(argv[2], "w");
    if (input == NULL || output == NULL)
        return 1;
    while (fgets(line, sizeof line, input)) {
        line[strcspn(line, "\n")] = '\0';
        if (setjmp(failed)) {
            wrong++;
            continue;
        }
        char *target = NULL;
        at = line;
        if (islower((unsigned char)line[0]) && line[1] == '=') {
            target = line;
            at += 2;
        }
        double x = sum();
        if (*at)
            fail("something left");
        if (target)
            variables[*target - 'a'] = x;
        fprintf(output, "%ld\n", fabs(x) < 2e5 ? (long)(x * 1000 + (x < 0 ? -0.5 : 0.5)) : -1);
    }
    printf("%d wrong\n", wrong);
    fclose(input);
    return fclose(output) != 0;
}
