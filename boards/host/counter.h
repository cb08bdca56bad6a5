/* The counter that the core has for itself, and what keeps other instructions from passing it.
 *
 * x86-64: the time stamp counter (Intel 64 and IA-32 Architectures Software Developer's Manual,
 * RDTSC and RDTSCP; Paoloni, "How to Benchmark Code Execution Times"). LFENCE before RDTSC waits
 * for all that went before, LFENCE behind it holds back all that follows; RDTSCP waits by itself.
 * AArch64: the virtual counter (Arm Architecture Reference Manual, CNTVCT_EL0), fenced by ISB. */
#ifndef COUNTER_H
#define COUNTER_H

#include <stdint.h>

#if defined(__x86_64__)

#define COUNTER_REGISTER "rbx"
#define COUNTER_PROBE(label, count)                                                      \
    __asm volatile("lfence\nprobe." label                                                \
                   ": rdtsc\n lfence\n shl $32, %%rdx\n or %%rdx, %%rax\n mov %%rax, %0" \
                   : "=r"(count)                                                         \
                   :                                                                     \
                   : "rax", "rdx", "cc", "memory")
#define COUNTER_START(label, count)                                                            \
    __asm volatile("lfence\n rdtsc\n shl $32, %%rdx\n or %%rdx, %%rax\n mov %%rax, %0\n" label \
                   ".start: lfence"                                                            \
                   : "=r"(count)                                                               \
                   :                                                                           \
                   : "rax", "rdx", "cc", "memory")
#define COUNTER_STOP(label, count)                                                            \
    __asm volatile(label ".stop: rdtscp\n shl $32, %%rdx\n or %%rdx, %%rax\n mov %%rax, %0\n" \
                         " lfence"                                                            \
                   : "=r"(count)                                                              \
                   :                                                                          \
                   : "rax", "rcx", "rdx", "cc", "memory")

static inline uint64_t counter_now(void) {
    return __builtin_ia32_rdtsc();
}

#elif defined(__aarch64__)

#define COUNTER_REGISTER "x19"
#define COUNTER_PROBE(label, count) \
    __asm volatile("isb\nprobe." label ": mrs %0, cntvct_el0\n isb" : "=r"(count) : : "memory")
#define COUNTER_START(label, count) \
    __asm volatile("isb\n mrs %0, cntvct_el0\n" label ".start: isb" : "=r"(count) : : "memory")
#define COUNTER_STOP(label, count) \
    __asm volatile(label ".stop: isb\n mrs %0, cntvct_el0\n isb" : "=r"(count) : : "memory")

static inline uint64_t counter_now(void) {
    uint64_t count;
    __asm volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}

#else
#error "the counter of this architecture is not known: add it to boards/host/counter.h"
#endif

#endif
