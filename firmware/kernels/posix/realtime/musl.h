/* Calls of the GNU C library that musl lacks, made of those that it has. */
#ifndef MUSL_H
#define MUSL_H

#ifndef __GLIBC__

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MUSL_NS_PER_S = 1000000000 };

/* A time of `clock` as CLOCK_REALTIME, the clock of musl's waits, has it. Nothing sets that one. */
static inline struct timespec musl_real_time(clockid_t clock, const struct timespec *time) {
    struct timespec there, here;
    clock_gettime(clock, &there);
    clock_gettime(CLOCK_REALTIME, &here);
    here.tv_sec += time->tv_sec - there.tv_sec;
    here.tv_nsec += time->tv_nsec - there.tv_nsec;
    if (here.tv_nsec < 0) {
        here.tv_nsec += MUSL_NS_PER_S;
        here.tv_sec--;
    } else if (here.tv_nsec >= MUSL_NS_PER_S) {
        here.tv_nsec -= MUSL_NS_PER_S;
        here.tv_sec++;
    }
    return here;
}

static inline int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *time) {
    struct timespec until = musl_real_time(clock, time);
    return sem_timedwait(semaphore, &until);
}

static inline int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                         clockid_t clock, const struct timespec *time) {
    struct timespec until = musl_real_time(clock, time);
    return pthread_cond_timedwait(condition, mutex, &until);
}

/* Of the calling thread alone: musl shows the number of no other. */
static inline int pthread_sigqueue(pthread_t self, int number, union sigval value) {
    siginfo_t what = {.si_signo = number, .si_code = SI_QUEUE};
    (void)self;
    what.si_value = value;
    return syscall(SYS_rt_tgsigqueueinfo, getpid(), gettid(), number, &what) == 0 ? 0 : errno;
}

#endif

#endif
