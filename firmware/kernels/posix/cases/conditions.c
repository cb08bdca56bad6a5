/* Condition variables. */
#include <sched.h>

#include "posix_case.h"

static pthread_mutex_t mutex;
static pthread_cond_t condition;

static bool create(const struct series *series) {
    return DONE(pthread_mutex_init(&mutex, NULL)) && DONE(pthread_cond_init(&condition, NULL));
}

static bool create_held(const struct series *series) {
    return create(series) && DONE(pthread_mutex_lock(&mutex));
}

static void destroy(const struct series *series) {
    pthread_cond_destroy(&condition);
}

/* Made and destroyed. */

static bool destroy_made(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_cond_destroy(&condition));
}

TIMED_CASE(pthread_cond_init, plain, pthread_cond_init, pthread_cond_init(&condition, NULL),
           LIBRARY, .condition = "without attributes", .after = destroy_made)

static bool make_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && create(series);
}

TIMED_CASE(pthread_cond_destroy, nobody, pthread_cond_destroy, pthread_cond_destroy(&condition),
           LIBRARY, .condition = "nobody waits", .set_up = create, .after = make_again,
           .tear_down = destroy)

/* Nobody waits. */

TIMED_CASE(pthread_cond_signal, nobody, pthread_cond_signal, pthread_cond_signal(&condition),
           LIBRARY, .condition = "nobody waits", .set_up = create, .after = was_done,
           .tear_down = destroy)

TIMED_CASE(pthread_cond_broadcast, nobody, pthread_cond_broadcast,
           pthread_cond_broadcast(&condition), LIBRARY, .condition = "nobody waits",
           .set_up = create, .after = was_done, .tear_down = destroy)

static void unlock_and_destroy(const struct series *series) {
    pthread_mutex_unlock(&mutex);
    destroy(series);
}

TIMED_CASE(pthread_cond_timedwait, late, pthread_cond_timedwait,
           pthread_cond_timedwait(&condition, &mutex, &long_ago), LIBRARY,
           .condition = "the time is past: ETIMEDOUT", .set_up = create_held, .after = was_too_late,
           .tear_down = unlock_and_destroy)

/* x threads wait. They do not run before the caller does, and wait again before the next call. */

#define WAITING X_FROM_TO(1, 16), .parameter = "waiting threads", .unit = "thread"

static void *wait_in_crowd(void *unused) {
    pthread_mutex_lock(&mutex);
    while (!company_ends) {
        say_arrived();
        pthread_cond_wait(&condition, &mutex);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

static bool create_crowd(const struct series *series) {
    return create(series) && start_crowd(wait_in_crowd, series->x);
}

static bool one_waits_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && crowd_waits(1);
}

static bool all_wait_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && crowd_waits(series->x);
}

static void end_crowd(const struct series *series) {
    pthread_mutex_lock(&mutex);
    company_ends = true;
    pthread_cond_broadcast(&condition);
    pthread_mutex_unlock(&mutex);
    stop_crowd();
    destroy(series);
}

TIMED_CASE(pthread_cond_signal, waiters, pthread_cond_signal, pthread_cond_signal(&condition),
           LIBRARY, .condition = "x threads wait, one is woken", WAITING, .set_up = create_crowd,
           .after = one_waits_again, .tear_down = end_crowd)

TIMED_CASE(pthread_cond_broadcast, waiters, pthread_cond_broadcast,
           pthread_cond_broadcast(&condition), LIBRARY,
           .condition = "x threads wait, all are woken", WAITING, .set_up = create_crowd,
           .after = all_wait_again, .tear_down = end_crowd)

/* A thread of higher priority waits: it goes on before the call returns. */

static void *wait_above(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    pthread_mutex_lock(&mutex);
    while (!company_ends) {
        pthread_cond_wait(&condition, &mutex);
        MOVED_PROBE(timer, "pthread_cond_signal.wakes_higher");
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

static bool create_and_let_wait(const struct series *series) {
    return create(series) && start_partner(wait_above, ABOVE);
}

static void wake_and_stop(const struct series *series) {
    company_ends = true;
    pthread_cond_signal(&condition);
    stop_partner();
    destroy(series);
}

TIMED_CASE(pthread_cond_signal, wakes_higher, pthread_cond_signal, pthread_cond_signal(&condition),
           LIBRARY, .condition = "a thread of higher priority waits", .flags = CASE_MOVES,
           .set_up = create_and_let_wait, .after = was_done, .tear_down = wake_and_stop)

/* The caller waits: a thread that is ready goes on, and signals. */

static void *yield_and_signal(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    while (!company_ends) {
        sched_yield();
        MOVED_PROBE(timer, "pthread_cond_wait.blocks");
        pthread_cond_signal(&condition);
    }
    return unused;
}

static bool create_held_and_start(const struct series *series) {
    return create(series) && start_partner(yield_and_signal, EQUAL) &&
           DONE(pthread_mutex_lock(&mutex));
}

static void unlock_and_stop(const struct series *series) {
    pthread_mutex_unlock(&mutex);
    stop_partner();
    destroy(series);
}

TIMED_CASE(pthread_cond_wait, blocks, pthread_cond_wait, pthread_cond_wait(&condition, &mutex),
           LIBRARY, .condition = "another thread is ready and goes on", .flags = CASE_MOVES,
           .set_up = create_held_and_start, .after = was_done, .tear_down = unlock_and_stop)
