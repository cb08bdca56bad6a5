/* The first program of the system on this board: it ends with the board, so nothing has to be
 * cleared away behind it. */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "caretaker.h"
#include "wire.h"

char shared_name[] = "/cyclescope.shared";

/* Above everything that is scheduled normally, as on the host; a thread above it has space. */
enum { RAISED_PRIORITY = 1 };

void caretaker_start(void) {
    const struct sched_param raised = {.sched_priority = RAISED_PRIORITY};
    const struct rlimit any = {RLIM_INFINITY, RLIM_INFINITY}; /* timers count as pending signals */
    if (chdir("/tmp") != 0 || setrlimit(RLIMIT_SIGPENDING, &any) != 0 ||
        pthread_setschedparam(pthread_self(), SCHED_FIFO, &raised) != 0)
        wire_fault(FAULT_CHECK, 0, "the system is not prepared");
}
