/* Locks for readers and writers. */
#include "posix_case.h"

static pthread_rwlock_t rwlock;

static bool create(const struct series *series) {
    return DONE(pthread_rwlock_init(&rwlock, NULL));
}

static bool create_read(const struct series *series) {
    return create(series) && DONE(pthread_rwlock_rdlock(&rwlock));
}

static bool create_read_twice(const struct series *series) {
    return create_read(series) && DONE(pthread_rwlock_rdlock(&rwlock));
}

static bool create_written(const struct series *series) {
    return create(series) && DONE(pthread_rwlock_wrlock(&rwlock));
}

static bool unlock_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_rwlock_unlock(&rwlock));
}

static bool read_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_rwlock_rdlock(&rwlock));
}

static bool write_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_rwlock_wrlock(&rwlock));
}

static void destroy(const struct series *series) {
    pthread_rwlock_destroy(&rwlock);
}

static bool destroy_made(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_rwlock_destroy(&rwlock));
}

TIMED_CASE(pthread_rwlock_init, plain, pthread_rwlock_init, pthread_rwlock_init(&rwlock, NULL),
           LIBRARY, .condition = "without attributes", .after = destroy_made)

TIMED_CASE(pthread_rwlock_rdlock, free, pthread_rwlock_rdlock, pthread_rwlock_rdlock(&rwlock),
           LIBRARY, .condition = "free", .set_up = create, .after = unlock_again,
           .tear_down = destroy)

TIMED_CASE(pthread_rwlock_rdlock, read, pthread_rwlock_rdlock, pthread_rwlock_rdlock(&rwlock),
           LIBRARY, .condition = "held by a reader", .set_up = create_read, .after = unlock_again,
           .tear_down = destroy)

TIMED_CASE(pthread_rwlock_wrlock, free, pthread_rwlock_wrlock, pthread_rwlock_wrlock(&rwlock),
           LIBRARY, .condition = "free", .set_up = create, .after = unlock_again,
           .tear_down = destroy)

TIMED_CASE(pthread_rwlock_unlock, first_reader, pthread_rwlock_unlock,
           pthread_rwlock_unlock(&rwlock), LIBRARY, .condition = "held by two readers",
           .set_up = create_read_twice, .after = read_again, .tear_down = destroy)

TIMED_CASE(pthread_rwlock_unlock, last_reader, pthread_rwlock_unlock,
           pthread_rwlock_unlock(&rwlock), LIBRARY, .condition = "held by one reader",
           .set_up = create_read, .after = read_again, .tear_down = destroy)

TIMED_CASE(pthread_rwlock_unlock, writer, pthread_rwlock_unlock, pthread_rwlock_unlock(&rwlock),
           LIBRARY, .condition = "held by a writer", .set_up = create_written, .after = write_again,
           .tear_down = destroy)

TIMED_CASE(pthread_rwlock_tryrdlock, written, pthread_rwlock_tryrdlock,
           pthread_rwlock_tryrdlock(&rwlock), LIBRARY, .condition = "held by a writer: EBUSY",
           .set_up = create_written, .after = was_busy, .tear_down = destroy)

TIMED_CASE(pthread_rwlock_trywrlock, read, pthread_rwlock_trywrlock,
           pthread_rwlock_trywrlock(&rwlock), LIBRARY, .condition = "held by a reader: EBUSY",
           .set_up = create_read, .after = was_busy, .tear_down = destroy)

/* x readers wait for the writer to unlock. */

static pthread_mutex_t turns = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t next_turn = PTHREAD_COND_INITIALIZER;
static uint32_t turn;

/* Waits until the harness has locked for writing again. */
static void await_turn(uint32_t after) {
    pthread_mutex_lock(&turns);
    while (turn == after && !company_ends)
        pthread_cond_wait(&next_turn, &turns);
    pthread_mutex_unlock(&turns);
}

static void *read_in_crowd(void *unused) {
    for (uint32_t seen = 0; !company_ends; seen++) {
        say_arrived();
        pthread_rwlock_rdlock(&rwlock);
        pthread_rwlock_unlock(&rwlock);
        await_turn(seen);
    }
    return unused;
}

static void tell_readers(bool end) {
    pthread_mutex_lock(&turns);
    company_ends = end;
    turn++;
    pthread_cond_broadcast(&next_turn);
    pthread_mutex_unlock(&turns);
}

static bool create_readers(const struct series *series) {
    turn = 0;
    return create_written(series) && start_crowd(read_in_crowd, series->x);
}

static bool readers_wait_again(const struct series *series, uintptr_t error) {
    if (!was_done(series, error))
        return false;
    let_others_run();
    bool held = DONE(pthread_rwlock_wrlock(&rwlock));
    tell_readers(false);
    return held && crowd_waits(series->x);
}

static void end_readers(const struct series *series) {
    tell_readers(true);
    pthread_rwlock_unlock(&rwlock);
    stop_crowd();
    destroy(series);
}

TIMED_CASE(pthread_rwlock_unlock, waiting_readers, pthread_rwlock_unlock,
           pthread_rwlock_unlock(&rwlock), LIBRARY,
           .condition = "held by a writer, x readers wait and are woken", X_FROM_TO(1, 16),
           .parameter = "waiting readers", .unit = "thread", .set_up = create_readers,
           .after = readers_wait_again, .tear_down = end_readers)
