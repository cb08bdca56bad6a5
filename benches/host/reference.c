/* Prints the time of one link of a chain: (T(10000) - T(5000)) / 5000, the median of many pairs.
 *
 * Reading the clock costs the same in both and a thousandth of either, so it can be off by
 * nothing that matters here. usage: reference MILLISECONDS */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "chains.h"

#define PAIRS_MAX 100000

static double ns_of(void (*chain)(void)) {
    struct timespec start, stop;
    clock_gettime(CLOCK_MONOTONIC, &start);
    chain();
    clock_gettime(CLOCK_MONOTONIC, &stop);
    return 1e9 * (double)(stop.tv_sec - start.tv_sec) + (double)(stop.tv_nsec - start.tv_nsec);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    static double ns[PAIRS_MAX];
    double budget_ns = 1e6 * (argc > 1 ? atof(argv[1]) : 20);
    size_t pairs = 0;
    chain_10000();
    for (double spent_ns = 0; spent_ns < budget_ns && pairs < PAIRS_MAX; pairs++) {
        double lesser = ns_of(chain_5000), greater = ns_of(chain_10000);
        spent_ns += lesser + greater;
        ns[pairs] = (greater - lesser) / 5000;
    }
    qsort(ns, pairs, sizeof *ns, ascending);
    printf("%.6f\n", ns[pairs / 2]);
}
