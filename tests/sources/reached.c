/* Every way to reach a function and to leave it; prints what it did. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "inline_header.h"

struct pair {
    int first, second;
    int (*function)(int);
};

static jmp_buf again;
static int depth;
static int compared;

static int helper(int value) {
    return clamped(value, 9) * 2;
}

static int even(int n);

static int odd(int n) {
    return n == 0 ? 0 : even(n - 1);
}

static int even(int n) {
    if (n == 0)
        return 1;
    return odd(n - 1);
}

static int fibonacci(int n) {
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

static int by_value(const void *a, const void *b) {
    compared++;
    return helper(*(const int *)a) - helper(*(const int *)b);
}

static int sum(int count, ...) {
    va_list values;
    int total = 0;
    va_start(values, count);
    while (count-- > 0)
        total += va_arg(values, int);
    va_end(values);
    return total;
}

static struct pair paired(int first, int second) {
    struct pair made = {first, second, first > second ? helper : fibonacci};
    return made;
}

static int old_style(a, b)
int a;
int b;
{ return a - b; }

static void nothing(int *value) {
    ++*value;
}

static void deeper(int n) {
    depth++;
    if (n == 0)
        longjmp(again, depth);
    deeper(n - 1);
    depth = 1000;
}

static int unwound(void) {
    volatile int tries = 0;
    int from = setjmp(again);
    tries++;
    if (tries < 4)
        deeper(tries);
    return from * 10 + tries;
}

static void at_the_end(void) {
    printf("end %d\n", helper(4));
}

static void leave(int status) {
    if (status)
        exit(status);
    printf("stays\n");
}

static int nested(int n) {
    return sum(3, helper(sum(2, helper(n), fibonacci(n))), paired(n, 2).function(helper(n)),
               clamped(fibonacci(clamped(n, 6)), 100));
}

int main(int argc, char **argv) {
    static int (*const table[])(int) = {helper, fibonacci, even};
    int values[] = {5, 3, 8, 1, 9, 2, 7, 4, 6, 0};
    int key = 4, total = 0;
    atexit(at_the_end);
    qsort(values, 10, sizeof values[0], by_value);
    int *found = bsearch(&key, values, 10, sizeof key, by_value);
    printf("%d %d\n", found ? *found : -1, compared);
    for (int i = 0; i < 9; i++)
        total += table[i % 3](i) + (*table[0])(i) + (&odd)(i);
    total += shared(table[1], 5) + shared(helper, nested(3));
    total += old_style(nested(4), helper(old_style(9, 2)));
    total += (nothing(&total), total);
    printf("%d %d\n", total, unwound());
    leave(argc - 1);
    leave(argc + 6);
    return argv[0] == NULL;
}
