/* The work of the background threads on Linux: calls that enter the kernel, where it locks and
 * masks for itself; five threads with a class of calls each. A program can hold neither, so no
 * sample begins in a section of theirs. */
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "background.h"

#define FACILITIES(X)                                \
    X(THREAD_CREATE, "pthread_create")               \
    X(THREAD_JOIN, "pthread_join")                   \
    X(PRIORITY_SET, "pthread_setschedparam")         \
    X(YIELD, "sched_yield")                          \
    X(SEMAPHORE_POST, "sem_post")                    \
    X(SEMAPHORE_WAIT, "sem_clockwait, waiting")      \
    X(MESSAGE_SEND, "mq_send")                       \
    X(MESSAGE_RECEIVE, "mq_receive")                 \
    X(MUTEX_LOCK, "pthread_mutex_lock (inheriting)") \
    X(MUTEX_UNLOCK, "pthread_mutex_unlock")          \
    X(CONDITION_SIGNAL, "pthread_cond_signal")       \
    X(CONDITION_WAIT, "pthread_cond_clockwait")      \
    X(PIPE_WRITE, "write (pipe)")                    \
    X(PIPE_READ, "read (pipe)")                      \
    X(EVENT, "eventfd write and read")               \
    X(POLL, "poll")                                  \
    X(SIGNAL, "pthread_sigqueue")                    \
    X(SIGNAL_WAIT, "sigtimedwait")                   \
    X(MAP, "mmap")                                   \
    X(UNMAP, "munmap")                               \
    X(TIMER_SET, "timer_settime")                    \
    X(SLEEP, "clock_nanosleep")

DEFINE_FACILITIES(FACILITIES)

enum { MESSAGE_BYTES = 64, MAP_BYTES = PORT_STACK_BYTES };

static sem_t semaphore;
static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mqd_t messages = (mqd_t)-1;
static int pipe_ends[2] = {-1, -1}, event = -1;
static timer_t timer;
static sigset_t signals;

/* Threads. */

static void *end_at_once(void *unused) {
    return unused;
}

static void create_and_join(struct background *self) {
    pthread_t made;
    if (CALL(self, THREAD_CREATE, pthread_create(&made, NULL, end_at_once, NULL) == 0))
        CALL(self, THREAD_JOIN, pthread_join(made, NULL) == 0);
}

static void set_own_priority(struct background *self) {
    struct sched_param priority;
    int policy;
    pthread_getschedparam(pthread_self(), &policy, &priority);
    CALL(self, PRIORITY_SET, pthread_setschedparam(pthread_self(), policy, &priority) == 0);
}

static void yield(struct background *self) {
    CALL(self, YIELD, sched_yield() == 0);
}

/* Semaphores and message queues. */

static void post_and_take(struct background *self) {
    CALL(self, SEMAPHORE_POST, sem_post(&semaphore) == 0);
    sem_trywait(&semaphore);
}

static void wait_at_semaphore(struct background *self, uint32_t tick) {
    struct timespec until = port_time_of(tick);
    CALL(self, SEMAPHORE_WAIT, (sem_clockwait(&semaphore, CLOCK_MONOTONIC, &until), true));
}

static void pass_message(struct background *self) {
    char bytes[MESSAGE_BYTES] = {0};
    if (messages == (mqd_t)-1)
        return;
    CALL(self, MESSAGE_SEND, mq_send(messages, bytes, sizeof bytes, 0) == 0);
    CALL(self, MESSAGE_RECEIVE, mq_receive(messages, bytes, sizeof bytes, NULL) >= 0);
}

/* Mutexes and conditions. */

static void lock_and_unlock(struct background *self) {
    if (CALL(self, MUTEX_LOCK, pthread_mutex_lock(&mutex) == 0))
        CALL(self, MUTEX_UNLOCK, pthread_mutex_unlock(&mutex) == 0);
}

static void signal_condition(struct background *self) {
    CALL(self, CONDITION_SIGNAL, pthread_cond_signal(&condition) == 0);
}

/* A signal wakes the thread that waits; it is early then. */
static void wait_at_condition(struct background *self, uint32_t tick) {
    struct timespec until = port_time_of(tick);
    pthread_mutex_lock(&mutex);
    CALL(self, CONDITION_WAIT,
         (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until), true));
    pthread_mutex_unlock(&mutex);
}

/* Pipes, events, signals. */

static void write_and_read(struct background *self) {
    char bytes[MESSAGE_BYTES] = {0};
    CALL(self, PIPE_WRITE, write(pipe_ends[1], bytes, sizeof bytes) == sizeof bytes);
    CALL(self, PIPE_READ, read(pipe_ends[0], bytes, sizeof bytes) == sizeof bytes);
}

static void raise_event(struct background *self) {
    uint64_t count = 1;
    CALL(self, EVENT,
         write(event, &count, sizeof count) == sizeof count &&
             read(event, &count, sizeof count) == sizeof count);
    struct pollfd what = {.fd = event, .events = POLLIN};
    CALL(self, POLL, poll(&what, 1, 0) >= 0);
}

static void signal_oneself(struct background *self) {
    static const struct timespec at_once;
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    CALL(self, SIGNAL,
         pthread_sigqueue(pthread_self(), SIGUSR1, (union sigval){.sival_int = 0}) == 0);
    CALL(self, SIGNAL_WAIT, sigtimedwait(&signals, NULL, &at_once) == SIGUSR1);
}

/* Memory and timers. */

static void map_and_unmap(struct background *self) {
    void *memory =
        mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (CALL(self, MAP, memory != MAP_FAILED))
        CALL(self, UNMAP, munmap(memory, MAP_BYTES) == 0);
}

static void set_timer(struct background *self) {
    struct itimerspec when = {.it_value = {.tv_sec = 3600}}, never = {.it_value = {.tv_sec = 0}};
    CALL(self, TIMER_SET, timer_settime(timer, 0, &when, NULL) == 0);
    CALL(self, TIMER_SET, timer_settime(timer, 0, &never, NULL) == 0);
}

static void sleep_until(struct background *self, uint32_t tick) {
    struct timespec until = port_time_of(tick);
    CALL(self, SLEEP, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
}

static const struct step of_threads[] = {{create_and_join}, {set_own_priority}, {yield}};
static const struct step of_semaphores[] = {{post_and_take}, {pass_message}};
static const struct step of_mutexes[] = {{lock_and_unlock}, {signal_condition}};
static const struct step of_pipes[] = {{write_and_read}, {raise_event}, {signal_oneself}};
static const struct step of_memory[] = {{map_and_unmap}, {set_timer}};

static void create_messages(void) {
    char name[64];
    snprintf(name, sizeof name, "/cyclescope-%d", (int)getpid());
    struct mq_attr shape = {.mq_maxmsg = 4, .mq_msgsize = MESSAGE_BYTES};
    messages = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, &shape);
    mq_unlink(name);
}

static void create_mutex(void) {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    pthread_mutexattr_setprotocol(&how, PTHREAD_PRIO_INHERIT);
    pthread_mutex_init(&mutex, &how);
    pthread_mutexattr_destroy(&how);
}

bool background_set_up(struct background threads[BACKGROUND_THREADS]) {
    static const struct background all[BACKGROUND_THREADS] = {
        STEPS(of_threads), STEPS(of_semaphores), STEPS(of_mutexes), STEPS(of_pipes),
        STEPS(of_memory)};
    struct sigevent silent = {.sigev_notify = SIGEV_NONE};
    for (int i = 0; i < BACKGROUND_THREADS; i++)
        threads[i] = all[i];
    threads[1].wait = wait_at_semaphore;
    threads[2].wait = wait_at_condition;
    threads[4].wait = sleep_until;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    create_messages();
    create_mutex();
    event = eventfd(0, 0);
    return sem_init(&semaphore, 0, 0) == 0 && pipe(pipe_ends) == 0 && event >= 0 &&
           timer_create(CLOCK_MONOTONIC, &silent, &timer) == 0;
}

void background_tear_down(void) {
    if (messages != (mqd_t)-1)
        mq_close(messages);
    close(event);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    timer_delete(timer);
    sem_destroy(&semaphore);
    pthread_mutex_destroy(&mutex);
}
