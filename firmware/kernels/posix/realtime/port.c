/* Threads of Linux: priorities of SCHED_FIFO where they are allowed, and sleeping. */
#include "port.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "realtime.h"

/* SCHED_FIFO priority of rank 0: above the system's own threads of low priority. */
enum { LEAST_PRIORITY = 10 };

enum { MOST_THREADS = 1000 };

enum { NS_PER_S = 1000000000, NS_PER_TICK = NS_PER_S / KERNEL_TICK_HZ };

_Thread_local struct port_thread *port_self;

#ifdef SYSTEM_CLOCK_COUNT
/* Names to the lab the register of the system's clock. */
__asm(".global clock.count\n.set clock.count, " SYSTEM_CLOCK_COUNT);
#endif

static int refusal; /* errno of the first priority that was refused */

static struct sched_param priority_of(unsigned rank) {
    return (struct sched_param){.sched_priority = (int)(LEAST_PRIORITY + rank)};
}

void port_outrank(void) {
    struct sched_param priority = priority_of(RANK_MONITOR);
    int refused = pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority);
    if (refused != 0)
        refusal = refused;
}

static void *run(void *argument) {
    port_self = argument;
    prctl(PR_SET_NAME, port_self->name);
    port_self->body(port_self->argument);
    return NULL;
}

static int create(struct port_thread *thread, unsigned rank, uint32_t stack_bytes, bool fifo) {
    struct sched_param priority = priority_of(rank);
    pthread_attr_t how;
    pthread_attr_init(&how);
    pthread_attr_setstacksize(&how, stack_bytes);
    if (fifo) {
        pthread_attr_setinheritsched(&how, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&how, SCHED_FIFO);
        pthread_attr_setschedparam(&how, &priority);
    }
    int error = pthread_create(&thread->handle, &how, run, thread);
    pthread_attr_destroy(&how);
    return error;
}

bool port_start(struct port_thread *thread, const char *name, void (*body)(void *), void *argument,
                unsigned rank, uint32_t stack_bytes) {
    thread->name = name;
    thread->body = body;
    thread->argument = argument;
    sem_init(&thread->resumed, 0, 0);
    int error = create(thread, rank, stack_bytes, refusal == 0);
    if (error == EPERM && refusal == 0) {
        refusal = error;
        error = create(thread, rank, stack_bytes, false);
    }
    thread->is_started = error == 0;
    return thread->is_started;
}

/* It is raised first, so that it comes to its end whoever else is ready. */
void port_stop(struct port_thread *thread) {
    if (!thread->is_started)
        return;
    struct sched_param priority = priority_of(RANK_MONITOR);
    pthread_cancel(thread->handle);
    if (refusal == 0)
        pthread_setschedparam(thread->handle, SCHED_FIFO, &priority);
    pthread_join(thread->handle, NULL);
    sem_destroy(&thread->resumed);
    thread->is_started = false;
}

/* `ns` is less than a second. */
static struct timespec behind(struct timespec time, uint32_t ns) {
    ns += (uint32_t)time.tv_nsec;
    time.tv_sec += ns >= NS_PER_S;
    time.tv_nsec = (long)(ns >= NS_PER_S ? ns - NS_PER_S : ns);
    return time;
}

static struct timespec later(struct timespec time, uint32_t ticks) {
    time.tv_sec += (time_t)(ticks / KERNEL_TICK_HZ);
    return behind(time, ticks % KERNEL_TICK_HZ * NS_PER_TICK);
}

static struct timespec now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time;
}

#if SYSTEM_TICK_HZ

/* A thread that sleeps until a tick wakes in its interrupt. A timer that ends a moment before does
 * so with it; any other one has an interrupt of its own. */
enum { BEFORE_TICK_NS = 20 * 1000 };

/* No fraction of the tick, so that wake-ups fall all over it. */
enum { WAKE_UP_NS = 5477 * 1000 };

struct timespec port_time_of(uint32_t tick) {
    static struct timespec known;
    static uint32_t known_tick;
    if (known.tv_sec == 0) {
        uint64_t ns = system_last_tick(&known_tick) - BEFORE_TICK_NS;
        known = (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
    }
    return (int32_t)(tick - kernel_ticks()) <= 0 ? now() : later(known, tick - known_tick);
}

void port_sleep(uint32_t ticks) {
    port_sleep_until(kernel_ticks() + ticks);
}

#else

enum { WAKE_UP_NS = NS_PER_TICK };

/* A tick that was is now. */
struct timespec port_time_of(uint32_t tick) {
    struct timespec time = now();
    int32_t left = (int32_t)(tick - kernel_ticks());
    if (left <= 0)
        return time;
    time.tv_nsec -= time.tv_nsec % NS_PER_TICK;
    return later(time, (uint32_t)left);
}

void port_sleep(uint32_t ticks) {
    struct timespec until = later(now(), ticks);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

#endif

void port_sleep_until(uint32_t tick) {
    struct timespec until = port_time_of(tick);
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
}

bool port_take_within(struct port_semaphore *semaphore, uint32_t ticks) {
    struct timespec until = later(now(), ticks);
    int error;
    do
        error = sem_clockwait(&semaphore->handle, CLOCK_MONOTONIC, &until);
    while (error != 0 && errno == EINTR);
    return error == 0;
}

uint32_t port_sleep_until_next(void) {
    static _Thread_local struct timespec next;
    struct timespec time = now();
    if (next.tv_sec == 0)
        next = time;
    do
        next = behind(next, WAKE_UP_NS);
    while (next.tv_sec < time.tv_sec ||
           (next.tv_sec == time.tv_sec && next.tv_nsec <= time.tv_nsec));
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    return port_counts(&next);
}

/* A quarter of what nobody uses, and no more than for so many threads as systems let a user have.
 */
uint32_t kernel_free_bytes(void) {
    uint64_t free = (uint64_t)sysconf(_SC_AVPHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 4;
    uint32_t most = RESERVE_BYTES + MOST_THREADS * port_task_bytes(EXTRA_STACK);
    return free < most ? (uint32_t)free : most;
}

uint8_t port_remark_count(void) {
    return refusal != 0;
}

const char *port_remark(uint8_t index) {
    (void)index;
    return "SCHED_FIFO was refused: threads have no priorities, and what the test assumes of their "
           "order does not hold; run it as root, or with the capability CAP_SYS_NICE";
}
