/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * In place of libnuma, for cyclictest on a board with one processor. numa_available() says that
 * there is no NUMA. A set of processors is empty or has processor 0. Memory has no nodes.
 */
#ifndef NUMA_H
#define NUMA_H

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct bitmask {
    int has_first;
};

static inline int numa_available(void) {
    return -1;
}

static inline struct bitmask *numa_allocate_cpumask(void) {
    return calloc(1, sizeof(struct bitmask));
}

static inline void numa_bitmask_free(struct bitmask *mask) {
    free(mask);
}

static inline unsigned int numa_bitmask_weight(const struct bitmask *mask) {
    return mask->has_first;
}

static inline int numa_bitmask_isbitset(const struct bitmask *mask, unsigned int cpu) {
    return cpu == 0 && mask->has_first;
}

static inline struct bitmask *numa_bitmask_clearbit(struct bitmask *mask, unsigned int cpu) {
    if (cpu == 0)
        mask->has_first = 0;
    return mask;
}

/* Knows "0" and "all"; any other set is empty. */
static inline struct bitmask *numa_parse_cpustring_all(const char *text) {
    struct bitmask *mask = numa_allocate_cpumask();
    if (mask)
        mask->has_first = strcmp(text, "0") == 0 || strcmp(text, "all") == 0;
    return mask;
}

static inline int numa_sched_getaffinity(pid_t process, struct bitmask *mask) {
    (void)process;
    mask->has_first = 1;
    return 0;
}

static inline int numa_sched_setaffinity(pid_t process, const struct bitmask *mask) {
    (void)process;
    return mask->has_first ? 0 : -1;
}

static inline void *numa_alloc_onnode(size_t size, int node) {
    (void)node;
    return malloc(size);
}

static inline void numa_free(void *memory, size_t size) {
    (void)size;
    free(memory);
}

static inline int numa_run_on_node(int node) {
    (void)node;
    return 0;
}

static inline int numa_node_of_cpu(int cpu) {
    return cpu == 0 ? 0 : -1;
}

#endif
