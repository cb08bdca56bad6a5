/* Prints what a call of a function takes in a long plain loop, in ns. Throughput: each call is like
 * the first. Latency: each gets the result of the one before (- where it cannot).
 *
 * Sixty-four calls stand in an iteration, so that the loop's own branch is little beside them. The
 * median of many loops of 100 us each is printed. usage: loops FUNCTION MILLISECONDS */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "functions.h"

enum { CALLS = 64, LOOPS_MAX = 10000 };
static const double LOOP_NS = 1e5;

#define FOUR(statement) statement statement statement statement
#define MANY(statement) FOUR(FOUR(FOUR(statement)))

#define LOOP_ALONE(name)                        \
    static void alone_##name(long iterations) { \
        for (long i = 0; i < iterations; i++) { \
            MANY(name();)                       \
        }                                       \
    }
#define LOOP_FED(name, type, first)             \
    static void alone_##name(long iterations) { \
        type const start = first;               \
        for (long i = 0; i < iterations; i++) { \
            MANY((void)name(start);)            \
        }                                       \
    }                                           \
    static void fed_##name(long iterations) {   \
        type value = first;                     \
        for (long i = 0; i < iterations; i++) { \
            MANY(value = name(value);)          \
        }                                       \
        __asm volatile("" : : "g"(value));      \
    }
FUNCTIONS_ALONE(LOOP_ALONE)
FUNCTIONS_FED(LOOP_FED)

static const struct {
    const char *name;
    void (*alone)(long), (*fed)(long);
} loops[] = {
#define ROW_ALONE(name) {#name, alone_##name, NULL},
#define ROW_FED(name, type, first) {#name, alone_##name, fed_##name},
    FUNCTIONS_ALONE(ROW_ALONE) FUNCTIONS_FED(ROW_FED)};

static double ns_of(void (*loop)(long), long iterations) {
    struct timespec start, stop;
    clock_gettime(CLOCK_MONOTONIC, &start);
    loop(iterations);
    clock_gettime(CLOCK_MONOTONIC, &stop);
    return 1e9 * (double)(stop.tv_sec - start.tv_sec) + (double)(stop.tv_nsec - start.tv_nsec);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ns(void (*loop)(long), double budget_ns) {
    static double ns[LOOPS_MAX];
    long iterations = 16;
    while (ns_of(loop, iterations) < LOOP_NS)
        iterations *= 2;
    size_t count = 0;
    for (double spent_ns = 0; spent_ns < budget_ns && count < LOOPS_MAX; count++) {
        double one = ns_of(loop, iterations);
        spent_ns += one;
        ns[count] = one / (double)(iterations * CALLS);
    }
    qsort(ns, count, sizeof *ns, ascending);
    return ns[count / 2];
}

int main(int argc, char **argv) {
    double budget_ns = 1e6 * (argc > 2 ? atof(argv[2]) : 20);
    for (size_t i = 0; argc > 1 && i < sizeof loops / sizeof *loops; i++) {
        if (strcmp(loops[i].name, argv[1]) != 0)
            continue;
        printf("%.6f ", median_ns(loops[i].alone, budget_ns));
        if (loops[i].fed)
            printf("%.6f\n", median_ns(loops[i].fed, budget_ns));
        else
            puts("-");
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "loops: which function of functions.h?\n");
    return EXIT_FAILURE;
}
