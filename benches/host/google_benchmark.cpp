// The chains timed by Google Benchmark, as its user guide has it: one loop per chain.
#include <benchmark/benchmark.h>

#include "chains.h"

#define BENCHMARK_CHAIN(n)                                     \
    static void benchmark_chain_##n(benchmark::State &state) { \
        for (auto _ : state)                                   \
            chain_##n();                                       \
    }                                                          \
    BENCHMARK(benchmark_chain_##n)->Name("chain_" #n);
CHAINS(BENCHMARK_CHAIN)

BENCHMARK_MAIN();
