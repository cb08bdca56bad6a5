/* Exact fractions: the numbers of Bernoulli, the harmonic numbers, and e as a continued fraction.
 * bernoulli COUNT HARMONIC DIGITS */
#include <stdio.h>
#include <stdlib.h>

#include "mini-gmp.h"
#include "mini-mpq.h"

static void put(const char *name, int n, const mpq_t value) {
    char *text = mpq_get_str(NULL, 10, value);
    printf("%s %d %s\n", name, n, text);
    free(text);
}

/* By Akiyama and Tanigawa. */
static void bernoulli(int count) {
    mpq_t *row = malloc((size_t)count * sizeof *row), factor;
    if (!row)
        exit(EXIT_FAILURE);
    mpq_init(factor);
    for (int m = 0; m < count; m++) {
        mpq_init(row[m]);
        mpq_set_ui(row[m], 1, (unsigned long)m + 1);
        for (int j = m; j >= 1; j--) {
            mpq_sub(row[j - 1], row[j - 1], row[j]);
            mpq_set_ui(factor, (unsigned long)j, 1);
            mpq_mul(row[j - 1], row[j - 1], factor);
        }
        if (m < 2 || m % 2 == 0)
            put("B", m, row[0]);
    }
    for (int m = 0; m < count; m++)
        mpq_clear(row[m]);
    mpq_clear(factor);
    free(row);
}

static void harmonic(int count) {
    mpq_t sum, part;
    mpq_init(sum);
    mpq_init(part);
    for (int k = 1; k <= count; k++) {
        mpq_set_ui(part, 1, (unsigned long)k);
        mpq_add(sum, sum, part);
    }
    put("H", count, sum);
    mpq_clear(sum);
    mpq_clear(part);
}

static void continued(int terms) {
    mpz_t p, q, before_p, before_q, next;
    mpz_init(next);
    mpz_init_set_ui(before_p, 1);
    mpz_init_set_ui(before_q, 0);
    mpz_init_set_ui(p, 2);
    mpz_init_set_ui(q, 1);
    for (int n = 1; n < terms; n++) {
        unsigned long term = n % 3 == 2 ? 2ul * ((unsigned long)n / 3 + 1) : 1;
        mpz_mul_ui(next, p, term);
        mpz_add(next, next, before_p);
        mpz_swap(before_p, p);
        mpz_swap(p, next);
        mpz_mul_ui(next, q, term);
        mpz_add(next, next, before_q);
        mpz_swap(before_q, q);
        mpz_swap(q, next);
    }
    mpz_ui_pow_ui(next, 10, (unsigned long)terms);
    mpz_mul(p, p, next);
    mpz_tdiv_q(p, p, q);
    char *text = mpz_get_str(NULL, 10, p);
    printf("e %d %s\n", terms, text);
    free(text);
    mpz_clear(p);
    mpz_clear(q);
    mpz_clear(before_p);
    mpz_clear(before_q);
    mpz_clear(next);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    bernoulli(atoi(argv[1]));
    harmonic(atoi(argv[2]));
    continued(atoi(argv[3]));
    return 0;
}
