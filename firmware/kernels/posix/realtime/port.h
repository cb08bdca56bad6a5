/* Linux's threads as real-time figures use them. Calls that POSIX lacks are made of others
 * (docs/explanation/realtime.md): suspending oneself is waiting for a semaphore of one's
 * own. */
#ifndef PORT_H
#define PORT_H

#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>

#include "kernel.h"
#include "musl.h"
#include "timer.h"

#define CLOCK ((void)0)
#define NOW(label) timer_now()

/* Stacks, in bytes; locked in memory, so no larger than need be. A board has less of it. */
#ifndef PORT_STACK_BYTES
#define PORT_STACK_BYTES (64 * 1024)
#define PORT_RESERVE_BYTES (1024 * 1024)
#endif
enum {
    STACK_BYTES = PORT_STACK_BYTES,
    TEST_STACK = STACK_BYTES,
    LOAD_STACK = STACK_BYTES,
    EXTRA_STACK = STACK_BYTES
};

enum { RESERVE_BYTES = PORT_RESERVE_BYTES };

#define PORT_LONG_TICKS 1000000000u

struct port_thread {
    pthread_t handle;
    sem_t resumed;
    const char *name;
    void (*body)(void *);
    void *argument;
    bool is_started;
};

struct port_semaphore {
    sem_t handle;
    bool is_there;
};

/* The thread that runs. */
extern _Thread_local struct port_thread *port_self;

/* Threads have priorities of SCHED_FIFO by rank; where that is refused they have none. */
bool port_start(struct port_thread *thread, const char *name, void (*body)(void *), void *argument,
                unsigned rank, uint32_t stack_bytes);
void port_stop(struct port_thread *thread);

/* The caller outranks all that it starts. */
void port_outrank(void);

static inline void *port_allocate(size_t bytes) {
    return calloc(bytes == 0 ? 1 : bytes, 1);
}

static inline void port_free(void *memory) {
    free(memory);
}

static inline uint32_t port_task_bytes(uint32_t stack_bytes) {
    const uint32_t guard_bytes = 4096;
    return stack_bytes + guard_bytes + (uint32_t)sizeof(struct port_thread);
}

static inline void port_yield(void) {
    pthread_testcancel();
    sched_yield();
}

void port_sleep(uint32_t ticks);

/* Until CLOCK_MONOTONIC shows that tick; a thread's wait may end then by itself, too. */
struct timespec port_time_of(uint32_t tick);
void port_sleep_until(uint32_t tick);

/* A clock's time in counts of the timer, without a division; to less than 3 in 10^9 of a second. */
static inline uint32_t port_counts(const struct timespec *time) {
    const uint64_t of_a_ns = ((uint64_t)TIMER_HZ << 32) / 1000000000u;
    return (uint32_t)time->tv_sec * TIMER_HZ + (uint32_t)((uint64_t)time->tv_nsec * of_a_ns >> 32);
}

static inline uint32_t port_counts_of(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return port_counts(&time);
}

#if SYSTEM_TICK_HZ

/* Timer and tick are there for a program to see: threads account for their time by the timer, as on
 * other kernels of the board. */
#define PORT_TICKS_INTERRUPT 1
static inline uint32_t port_counts_to_tick(void) {
    return system_cycles_to_tick() * (TIMER_HZ / BOARD_CORE_HZ);
}

#define PORT_ENDS_SLOWLY 1

/* The tick takes a sixth of the processor: it accounts for that itself. */
#define PORT_DEAR_TICK 1

/* The scheduler switches three times or more in so many counts. */
#define PORT_LEAST_BURST 16384u

/* An interrupt of the kernel's, whose handler notes the timer's count first. */
#define PORT_NOTED_INTERRUPT 1
static inline uint32_t port_interrupts_taken(void) {
    return system_interrupt->taken;
}

/* Asks for it; returns the count that it noted. */
static inline uint32_t port_noted_interrupt(uint32_t taken_before) {
    SYSTEM_ASK_FOR_INTERRUPT();
    while (system_interrupt->taken == taken_before)
        ;
    return system_interrupt->count;
}

#else

/* The kernel keeps each thread's time on the processor: its low half. */
#define PORT_THREAD_TIME 1
static inline uint32_t port_thread_time(void) {
    return port_counts_of(CLOCK_THREAD_CPUTIME_ID);
}

#endif

static inline uint32_t port_ticks_of_ms(uint32_t ms) {
    return (ms * KERNEL_TICK_HZ + 999) / 1000;
}

static inline void port_suspend_self(void) {
    sem_wait(&port_self->resumed);
}

static inline void port_resume(struct port_thread *thread) {
    sem_post(&thread->resumed);
}

static inline bool port_create(struct port_semaphore *semaphore, uint32_t count) {
    semaphore->is_there = sem_init(&semaphore->handle, 0, count) == 0;
    return semaphore->is_there;
}

static inline void port_delete(struct port_semaphore *semaphore) {
    if (semaphore->is_there)
        sem_destroy(&semaphore->handle);
    semaphore->is_there = false;
}

static inline void port_take(struct port_semaphore *semaphore) {
    sem_wait(&semaphore->handle);
}

bool port_take_within(struct port_semaphore *semaphore, uint32_t ticks);

/* The caller makes no call in which it could be ended. */
static inline void port_may_end_anywhere(void) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
}

/* As port_yield, a place where the thread can be ended: some make no call that waits. */
static inline bool port_try(struct port_semaphore *semaphore) {
    pthread_testcancel();
    return sem_trywait(&semaphore->handle) == 0;
}

static inline void port_give(struct port_semaphore *semaphore) {
    sem_post(&semaphore->handle);
}

/* Sleeps until a tick after the last time, or what the port says; returns the time it asked for.
 * Both it and the time of waking are of the clock that wakes, whatever the timer is. */
#define PORT_WAKE_UP 1
uint32_t port_sleep_until_next(void);
#define port_woken() port_counts_of(CLOCK_MONOTONIC)

/* Calls that the system refused. */
uint8_t port_remark_count(void);
const char *port_remark(uint8_t index);

#endif
