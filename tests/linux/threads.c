/* Threads under Linux without MMU, as tests/test_linux_threads.py reads them from the console:
 * counts that several threads raise by a compare-and-swap, what threads own, and what the
 * primitives cost. */
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 200000, THREADS = 4, MEETINGS = 100, COSTS = 2 };

static volatile int counter;
static __thread int own_rounds;

/* The kernel's helper at 0xFC0; 0 if the value was changed. */
static inline int swap_by_kernel(int then, int now, volatile int *at) {
    register int r0 __asm__("r0") = then;
    register int r1 __asm__("r1") = now;
    register volatile int *r2 __asm__("r2") = at;
    __asm__ volatile("mov r3, #0xfc0\n mov lr, pc\n bx r3"
                     : "+r"(r0)
                     : "r"(r1), "r"(r2)
                     : "r3", "ip", "lr", "cc", "memory");
    return r0;
}

/* The same instructions, which nothing starts anew. */
static inline int swap_plainly(int then, int now, volatile int *at) {
    int found;
    __asm__ volatile("ldr %0, [%3]\n subs %0, %0, %1\n streq %2, [%3]"
                     : "=&r"(found)
                     : "r"(then), "r"(now), "r"(at)
                     : "cc", "memory");
    return found;
}

static void *raise_by_kernel(void *unused) {
    for (int i = 0; i < ROUNDS; i++, own_rounds++)
        for (int then = counter; swap_by_kernel(then, then + 1, &counter); then = counter)
            ;
    return (void *)(intptr_t)own_rounds;
}

static void *raise_plainly(void *unused) {
    for (int i = 0; i < ROUNDS; i++, own_rounds++)
        for (int then = counter; swap_plainly(then, then + 1, &counter); then = counter)
            ;
    return (void *)(intptr_t)own_rounds;
}

static void count(const char *name, void *(*body)(void *)) {
    pthread_t threads[THREADS];
    intptr_t own = 0;
    counter = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, body, NULL) != 0)
            printf("no thread %d\n", i);
    for (int i = 0; i < THREADS; i++) {
        void *rounds;
        pthread_join(threads[i], &rounds);
        own += (intptr_t)rounds;
    }
    printf("%s counted %d of %d, own %d\n", name, counter, THREADS * ROUNDS, (int)own);
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int turn;

static void *answer(void *unused) {
    for (int i = 0; i < MEETINGS; i++) {
        pthread_mutex_lock(&mutex);
        while (turn != 1)
            pthread_cond_wait(&condition, &mutex);
        turn = 0;
        pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}

static void meet(void) {
    pthread_t other;
    int met = 0;
    pthread_create(&other, NULL, answer, NULL);
    for (; met < MEETINGS; met++) {
        pthread_mutex_lock(&mutex);
        turn = 1;
        pthread_cond_signal(&condition);
        while (turn != 0)
            pthread_cond_wait(&condition, &mutex);
        pthread_mutex_unlock(&mutex);
    }
    pthread_join(other, NULL);
    printf("met %d\n", met);
}

static volatile sig_atomic_t signals;

static void note(int number) {
    signals++;
}

static void be_signalled(void) {
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
    signal(SIGUSR1, note);
    pthread_kill(pthread_self(), SIGUSR1);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
        timer_settime(timer, 0, &(struct itimerspec){.it_value.tv_nsec = 20 * 1000 * 1000}, NULL);
    nanosleep(&(struct timespec){.tv_nsec = 50 * 1000 * 1000}, NULL);
    printf("signals %d\n", (int)signals);
}

static void have_objects(void) {
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    int inherits = pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
    int robust = pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    printf("inherits %d robust %d fork %d\n", inherits, robust, (int)fork());
}

#define TIME (*(const volatile uint32_t *)0x3FFF8000)
#define COST(name, statement)                                    \
    do {                                                         \
        uint32_t begin = TIME;                                   \
        statement;                                               \
        uint32_t end = TIME;                                     \
        printf("cycles %s %u\n", name, (unsigned)(end - begin)); \
    } while (0)

int main(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
    count("kernel", raise_by_kernel);
    count("plain", raise_plainly);
    meet();
    be_signalled();
    have_objects();
    for (int i = 0; i < COSTS; i++) {
        volatile int value = 0;
        COST("nothing", (void)0);
        COST("self", (void)pthread_self());
        COST("self_by_call", __asm__ volatile("mov r3, #0xfe0\n mov lr, pc\n bx r3"
                                              :
                                              :
                                              : "r0", "r3", "lr"));
        COST("swap_by_kernel", swap_by_kernel(0, 1, &value));
        COST("swap_plainly", swap_plainly(1, 2, &value));
    }
    printf("END\n");
    for (;;)
        pause();
}
