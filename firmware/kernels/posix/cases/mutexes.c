/* Mutexes of every kind, and spin locks. */
#include <sched.h>
#include <semaphore.h>

#include "posix_case.h"

static pthread_mutex_t mutex;

static bool create(int kind, int protocol) {
    pthread_mutexattr_t how;
    pthread_mutexattr_init(&how);
    bool made_so = DONE(pthread_mutexattr_settype(&how, kind)) &&
                   DONE(pthread_mutexattr_setprotocol(&how, protocol)) &&
                   DONE(pthread_mutex_init(&mutex, &how));
    pthread_mutexattr_destroy(&how);
    return made_so;
}

static bool create_plain(const struct series *series) {
    return create(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE);
}

static bool create_recursive(const struct series *series) {
    return create(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE);
}

static bool create_checking(const struct series *series) {
    return create(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE);
}

static bool create_inheriting(const struct series *series) {
    return create(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT);
}

static bool lock(void) {
    return DONE(pthread_mutex_lock(&mutex));
}

static bool create_held(const struct series *series) {
    return create_plain(series) && lock();
}

static bool create_recursive_held(const struct series *series) {
    return create_recursive(series) && lock();
}

static bool create_recursive_held_twice(const struct series *series) {
    return create_recursive_held(series) && lock();
}

static bool create_checking_held(const struct series *series) {
    return create_checking(series) && lock();
}

static bool create_inheriting_held(const struct series *series) {
    return create_inheriting(series) && lock();
}

static bool unlock_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_mutex_unlock(&mutex));
}

static bool lock_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && lock();
}

static void destroy(const struct series *series) {
    pthread_mutex_destroy(&mutex);
}

static void unlock_and_destroy(const struct series *series) {
    pthread_mutex_unlock(&mutex);
    destroy(series);
}

static void unlock_twice_and_destroy(const struct series *series) {
    pthread_mutex_unlock(&mutex);
    unlock_and_destroy(series);
}

/* Made and destroyed. */

static bool destroy_made(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_mutex_destroy(&mutex));
}

TIMED_CASE(pthread_mutex_init, plain, pthread_mutex_init, pthread_mutex_init(&mutex, NULL), LIBRARY,
           .condition = "without attributes", .after = destroy_made)

static bool make_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && create_plain(series);
}

TIMED_CASE(pthread_mutex_destroy, free, pthread_mutex_destroy, pthread_mutex_destroy(&mutex),
           LIBRARY, .condition = "free", .set_up = create_plain, .after = make_again,
           .tear_down = destroy)

/* Lock and unlock, with nobody else about. */

TIMED_CASE(pthread_mutex_lock, free, pthread_mutex_lock, pthread_mutex_lock(&mutex), LIBRARY,
           .condition = "plain, free", .set_up = create_plain, .after = unlock_again,
           .tear_down = destroy)

TIMED_CASE(pthread_mutex_unlock, nobody, pthread_mutex_unlock, pthread_mutex_unlock(&mutex),
           LIBRARY, .condition = "plain, nobody waits", .set_up = create_held, .after = lock_again,
           .tear_down = unlock_and_destroy)

TIMED_CASE(pthread_mutex_trylock, free, pthread_mutex_trylock, pthread_mutex_trylock(&mutex),
           LIBRARY, .condition = "plain, free", .set_up = create_plain, .after = unlock_again,
           .tear_down = destroy)

TIMED_CASE(pthread_mutex_trylock, busy, pthread_mutex_trylock, pthread_mutex_trylock(&mutex),
           LIBRARY, .condition = "plain, held: EBUSY", .set_up = create_held, .after = was_busy,
           .tear_down = unlock_and_destroy)

TIMED_CASE(pthread_mutex_timedlock, late, pthread_mutex_timedlock,
           pthread_mutex_timedlock(&mutex, &long_ago), LIBRARY,
           .condition = "plain, held; the time is past: ETIMEDOUT", .set_up = create_held,
           .after = was_too_late, .tear_down = unlock_and_destroy)

TIMED_CASE(pthread_mutex_lock, recursive_free, pthread_mutex_lock, pthread_mutex_lock(&mutex),
           LIBRARY, .condition = "recursive, free", .set_up = create_recursive,
           .after = unlock_again, .tear_down = destroy)

TIMED_CASE(pthread_mutex_lock, recursive_held, pthread_mutex_lock, pthread_mutex_lock(&mutex),
           LIBRARY, .condition = "recursive, held by the caller", .set_up = create_recursive_held,
           .after = unlock_again, .tear_down = unlock_and_destroy)

TIMED_CASE(pthread_mutex_unlock, recursive_inner, pthread_mutex_unlock,
           pthread_mutex_unlock(&mutex), LIBRARY, .condition = "recursive, held twice",
           .set_up = create_recursive_held_twice, .after = lock_again,
           .tear_down = unlock_twice_and_destroy)

TIMED_CASE(pthread_mutex_unlock, recursive_last, pthread_mutex_unlock, pthread_mutex_unlock(&mutex),
           LIBRARY, .condition = "recursive, held once", .set_up = create_recursive_held,
           .after = lock_again, .tear_down = unlock_and_destroy)

static bool was_deadlock(const struct series *series, uintptr_t error) {
    return (int)error == EDEADLK;
}

TIMED_CASE(pthread_mutex_lock, checking_free, pthread_mutex_lock, pthread_mutex_lock(&mutex),
           LIBRARY, .condition = "error checking, free", .set_up = create_checking,
           .after = unlock_again, .tear_down = destroy)

TIMED_CASE(pthread_mutex_lock, checking_held, pthread_mutex_lock, pthread_mutex_lock(&mutex),
           LIBRARY, .condition = "error checking, held by the caller: EDEADLK",
           .set_up = create_checking_held, .after = was_deadlock, .tear_down = unlock_and_destroy)

TIMED_CASE(pthread_mutex_unlock, checking_held, pthread_mutex_unlock, pthread_mutex_unlock(&mutex),
           LIBRARY, .condition = "error checking, nobody waits", .set_up = create_checking_held,
           .after = lock_again, .tear_down = unlock_and_destroy)

TIMED_CASE(pthread_mutex_lock, inheriting_free, pthread_mutex_lock, pthread_mutex_lock(&mutex),
           LIBRARY, .condition = "priority inheriting, free", .set_up = create_inheriting,
           .after = unlock_again, .tear_down = destroy)

TIMED_CASE(pthread_mutex_unlock, inheriting_nobody, pthread_mutex_unlock,
           pthread_mutex_unlock(&mutex), LIBRARY, .condition = "priority inheriting, nobody waits",
           .set_up = create_inheriting_held, .after = lock_again, .tear_down = unlock_and_destroy)

/* Lock, while another thread holds it and is ready: that one goes on, and unlocks. */

static void *hold_and_yield(void *unused) {
    const volatile uint32_t *timer = probe_timer();
    while (!company_ends) {
        pthread_mutex_lock(&mutex);
        sched_yield();
        MOVED_PROBE(timer, "pthread_mutex_lock.blocks");
        pthread_mutex_unlock(&mutex);
        sched_yield();
    }
    return unused;
}

static bool create_and_let_hold(const struct series *series) {
    return create_plain(series) && start_partner(hold_and_yield, EQUAL);
}

static bool let_hold_again(const struct series *series, uintptr_t error) {
    bool unlocked = was_done(series, error) && DONE(pthread_mutex_unlock(&mutex));
    sched_yield();
    return unlocked;
}

static void stop_and_destroy(const struct series *series) {
    stop_partner();
    destroy(series);
}

TIMED_CASE(pthread_mutex_lock, blocks, pthread_mutex_lock, pthread_mutex_lock(&mutex), LIBRARY,
           .condition = "plain, held by a thread that is ready and goes on", .flags = CASE_MOVES,
           .set_up = create_and_let_hold, .after = let_hold_again, .tear_down = stop_and_destroy)

/* Unlock, while a thread of higher priority waits: it goes on, and lets the caller lock again. */

static sem_t wait_again;

#define LOCKS_ABOVE(body, case_name)                    \
    static void *body(void *unused) {                   \
        const volatile uint32_t *timer = probe_timer(); \
        while (!company_ends) {                         \
            sem_wait(&wait_again);                      \
            pthread_mutex_lock(&mutex);                 \
            MOVED_PROBE(timer, case_name);              \
            pthread_mutex_unlock(&mutex);               \
        }                                               \
        return unused;                                  \
    }

LOCKS_ABOVE(lock_above, "pthread_mutex_unlock.wakes_higher")
LOCKS_ABOVE(lock_inheriting_above, "pthread_mutex_unlock.inheriting_wakes_higher")

static bool lock_and_let_wait(const struct series *series, uintptr_t error) {
    return was_done(series, error) && lock() && MADE(sem_post(&wait_again));
}

static bool start_above(const struct series *series, void *(*body)(void *)) {
    return MADE(sem_init(&wait_again, 0, 0)) && start_partner(body, ABOVE) &&
           lock_and_let_wait(series, 0);
}

static bool create_and_let_wait(const struct series *series) {
    return create_plain(series) && start_above(series, lock_above);
}

static bool create_inheriting_and_let_wait(const struct series *series) {
    return create_inheriting(series) && start_above(series, lock_inheriting_above);
}

static void unlock_and_stop(const struct series *series) {
    company_ends = true;
    pthread_mutex_unlock(&mutex);
    stop_and_destroy(series);
}

TIMED_CASE(pthread_mutex_unlock, wakes_higher, pthread_mutex_unlock, pthread_mutex_unlock(&mutex),
           LIBRARY, .condition = "plain, a thread of higher priority waits", .flags = CASE_MOVES,
           .set_up = create_and_let_wait, .after = lock_and_let_wait, .tear_down = unlock_and_stop)

TIMED_CASE(pthread_mutex_unlock, inheriting_wakes_higher, pthread_mutex_unlock,
           pthread_mutex_unlock(&mutex), LIBRARY,
           .condition = "priority inheriting, a thread of higher priority waits",
           .flags = CASE_MOVES, .set_up = create_inheriting_and_let_wait,
           .after = lock_and_let_wait, .tear_down = unlock_and_stop)

/* Spin locks. */

static pthread_spinlock_t spin;

static bool create_spin(const struct series *series) {
    return DONE(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
}

static bool create_spin_held(const struct series *series) {
    return create_spin(series) && DONE(pthread_spin_lock(&spin));
}

static bool unlock_spin(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_spin_unlock(&spin));
}

static bool lock_spin(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_spin_lock(&spin));
}

TIMED_CASE(pthread_spin_lock, free, pthread_spin_lock, pthread_spin_lock(&spin), LIBRARY,
           .condition = "free", .set_up = create_spin, .after = unlock_spin)

TIMED_CASE(pthread_spin_unlock, held, pthread_spin_unlock, pthread_spin_unlock(&spin), LIBRARY,
           .condition = "held", .set_up = create_spin_held, .after = lock_spin)

TIMED_CASE(pthread_spin_trylock, busy, pthread_spin_trylock, pthread_spin_trylock(&spin), LIBRARY,
           .condition = "held: EBUSY", .set_up = create_spin_held, .after = was_busy)
