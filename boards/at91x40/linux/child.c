/* A child without fork, which would need an MMU: another process in the same memory, with a stack
 * of its own. The harness has one child at a time. */
#include <sched.h>
#include <signal.h>
#include <stdint.h>

#include "cases/posix_case.h"

enum { CHILD_STACK_BYTES = 4096 };

static uint64_t stack[CHILD_STACK_BYTES / sizeof(uint64_t)];

static int run(void *body) {
    return ((int (*)(void))body)();
}

pid_t start_child(int (*body)(void)) {
    return clone(run, stack + sizeof stack / sizeof *stack, CLONE_VM | SIGCHLD, (void *)body);
}
