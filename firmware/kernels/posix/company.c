/* Threads beside the harness's own. They inherit its CPU and, but for a partner above, its
 * scheduling. */
#include <sched.h>
#include <time.h>

#include "board.h"
#include "cases/posix_case.h"
#include "kernel.h"

enum { SHORT_NS = 50 * 1000, PATIENCE = 20000 };

volatile bool company_ends;

pthread_t partner;
static bool has_partner;

static pthread_t *crowd;
static uint32_t crowd_count, arrived;

void let_others_run(void) {
    nanosleep(&(struct timespec){.tv_nsec = SHORT_NS}, NULL);
}

/* A partner would run: then the core sleeps in this thread. Else the thread does, so that the
 * system's own threads come to free what ended. */
void kernel_sleep(void) {
    if (has_partner)
        board_sleep();
    else
        nanosleep(&(struct timespec){.tv_nsec = 1}, NULL);
}

/* Both threads on one CPU, in a fixed order: without that the case would be another one. */
static bool has_order(struct sched_param *own) {
    int policy;
    cpu_set_t cpus;
    if (!DONE(pthread_getschedparam(pthread_self(), &policy, own)) ||
        !MADE(sched_getaffinity(0, sizeof cpus, &cpus)))
        return false;
    return done("sched_setscheduler(SCHED_FIFO)", policy == SCHED_FIFO ? 0 : EPERM) &&
           done("sched_setaffinity(one CPU)", CPU_COUNT(&cpus) == 1 ? 0 : EPERM);
}

static int create(pthread_t *thread, void *(*body)(void *), const struct sched_param *priority) {
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, STACK_BYTES);
    if (priority != NULL) {
        pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&how, SCHED_FIFO);
        pthread_attr_setschedparam(&how, priority);
    }
    int error = pthread_create(thread, &how, body, NULL);
    pthread_attr_destroy(&how);
    return error;
}

bool start_partner(void *(*body)(void *), enum rank rank) {
    struct sched_param priority;
    company_ends = false;
    if (!has_order(&priority))
        return false;
    priority.sched_priority += (int)rank;
    has_partner = done("pthread_create", create(&partner, body, &priority));
    if (has_partner && rank == ABOVE)
        let_others_run();
    else if (has_partner)
        sched_yield(); /* it comes to where it yields, and no further */
    return has_partner;
}

void stop_partner(void) {
    company_ends = true;
    if (!has_partner)
        return;
    pthread_cancel(partner);
    pthread_join(partner, NULL);
    has_partner = false;
}

bool start_crowd(void *(*body)(void *), uint32_t count) {
    company_ends = false;
    arrived = crowd_count = 0;
    crowd = calloc(count, sizeof *crowd);
    if (crowd == NULL)
        return done("calloc", ENOMEM);
    while (crowd_count < count && done("pthread_create", create(&crowd[crowd_count], body, NULL)))
        crowd_count++;
    return crowd_count == count && crowd_waits(count);
}

void say_arrived(void) {
    __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
}

/* Arrived is not yet waiting: so they run once more. */
bool crowd_waits(uint32_t count) {
    for (int turn = 0; turn < PATIENCE; turn++) {
        let_others_run();
        if (__atomic_load_n(&arrived, __ATOMIC_SEQ_CST) == count) {
            arrived = 0;
            let_others_run();
            return true;
        }
    }
    return false;
}

void stop_crowd(void) {
    while (crowd_count > 0)
        pthread_join(crowd[--crowd_count], NULL);
    free(crowd);
    crowd = NULL;
}
