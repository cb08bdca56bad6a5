/* Factorials, numbers of Fibonacci and binomials of any size: numbers by billions.
 * naturals COUNT OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BASE = 1000000000 };

struct natural {
    int digits, room;
    uint32_t *of;
};

static struct natural made(uint32_t value) {
    struct natural one = {value != 0, 4, calloc(4, sizeof(uint32_t))};
    if (one.of == NULL)
        exit(1);
    one.of[0] = value;
    return one;
}

static void append(struct natural *to, uint32_t digit) {
    if (to->digits == to->room) {
        to->room *= 2;
        to->of = realloc(to->of, (size_t)to->room * sizeof *to->of);
        if (to->of == NULL)
            exit(1);
    }
    to->of[to->digits++] = digit;
}

static void multiply(struct natural *by, uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < by->digits; i++) {
        carry += (uint64_t)by->of[i] * factor;
        by->of[i] = (uint32_t)(carry % BASE);
        carry /= BASE;
    }
    if (carry)
        append(by, (uint32_t)carry);
}

static uint32_t divide(struct natural *what, uint32_t divisor) {
    uint64_t rest = 0;
    for (int i = what->digits - 1; i >= 0; i--) {
        rest = rest * BASE + what->of[i];
        what->of[i] = (uint32_t)(rest / divisor);
        rest %= divisor;
    }
    while (what->digits && what->of[what->digits - 1] == 0)
        what->digits--;
    return (uint32_t)rest;
}

static void add(struct natural *to, const struct natural *other) {
    uint32_t carry = 0;
    for (int i = 0; i < other->digits || carry; i++) {
        if (i == to->digits)
            append(to, 0);
        carry += to->of[i] + (i < other->digits ? other->of[i] : 0);
        to->of[i] = carry >= BASE ? carry - BASE : carry;
        carry = carry >= BASE;
    }
}

static struct natural product(const struct natural *a, const struct natural *b) {
    struct natural all = made(0);
    for (int i = 0; i < a->digits + b->digits; i++)
        append(&all, 0);
    for (int i = 0; i < a->digits; i++) {
        uint64_t carry = 0;
        for (int k = 0; k < b->digits || carry; k++) {
            carry += all.of[i + k] + (uint64_t)a->of[i] * (k < b->digits ? b->of[k] : 0);
            all.of[i + k] = (uint32_t)(carry % BASE);
            carry /= BASE;
        }
    }
    while (all.digits && all.of[all.digits - 1] == 0)
        all.digits--;
    return all;
}

static void write(FILE *output, const char *name, int number, const struct natural *what) {
    fprintf(output, "%s(%d) = ", name, number);
    fprintf(output, "%lu", what->digits ? (unsigned long)what->of[what->digits - 1] : 0ul);
    for (int i = what->digits - 2; i >= 0; i--)
        fprintf(output, "%09lu", (unsigned long)what->of[i]);
    fputc('\n', output);
}

int main(int argc, char **argv) {
    int count = argc == 3 ? atoi(argv[1]) : 0;
    if (count < 2)
        return 2;
    FILE *output = fopen(argv[2], "w");
    if (output == NULL)
        return 1;
    struct natural factorial = made(1), a = made(0), b = made(1), binomial = made(1);
    for (int i = 1; i <= count; i++) {
        multiply(&factorial, (uint32_t)i);
        add(&a, &b);
        struct natural swapped = a;
        a = b;
        b = swapped;
        multiply(&binomial, (uint32_t)(2 * count - i + 1));
        if (divide(&binomial, (uint32_t)i) != 0)
            puts("a binomial is broken");
        if (i % 25 == 0) {
            write(output, "factorial", i, &factorial);
            write(output, "fibonacci", i + 1, &b);
        }
    }
    write(output, "binomial", 2 * count, &binomial);
    struct natural square = product(&factorial, &factorial), whole = product(&square, &binomial);
    write(output, "factorial", 2 * count, &whole);
    printf("%d and %d digits of %d\n", square.digits, whole.digits, BASE);
    free(factorial.of);
    free(a.of);
    free(b.of);
    free(binomial.of);
    free(square.of);
    free(whole.of);
    return fclose(output) != 0;
}
