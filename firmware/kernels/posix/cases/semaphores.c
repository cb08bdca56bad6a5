/* Semaphores, without a name and with one. */
#include <fcntl.h>
#include <sched.h>
#include <semaphore.h>

#include "posix_case.h"

static sem_t semaphore;

static bool create_empty(const struct series *series) {
    return MADE(sem_init(&semaphore, 0, 0));
}

static bool create_full(const struct series *series) {
    return MADE(sem_init(&semaphore, 0, 1));
}

static void destroy(const struct series *series) {
    sem_destroy(&semaphore);
}

static bool take_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(sem_trywait(&semaphore));
}

static bool give_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(sem_post(&semaphore));
}

TIMED_CASE(sem_init, plain, sem_init, sem_init(&semaphore, 0, 1), LIBRARY,
           .condition = "of one process", .after = was_made)

TIMED_CASE(sem_destroy, nobody, sem_destroy, sem_destroy(&semaphore), LIBRARY,
           .condition = "nobody waits", .set_up = create_full, .after = was_made)

TIMED_CASE(sem_post, nobody, sem_post, sem_post(&semaphore), LIBRARY,
           .condition = "value 0, nobody waits", .set_up = create_empty, .after = take_again,
           .tear_down = destroy)

TIMED_CASE(sem_wait, available, sem_wait, sem_wait(&semaphore), LIBRARY, .condition = "value 1",
           .set_up = create_full, .after = give_again, .tear_down = destroy)

TIMED_CASE(sem_trywait, available, sem_trywait, sem_trywait(&semaphore), LIBRARY,
           .condition = "value 1", .set_up = create_full, .after = give_again, .tear_down = destroy)

TIMED_CASE(sem_trywait, empty, sem_trywait, sem_trywait(&semaphore), LIBRARY,
           .condition = "value 0: EAGAIN", .set_up = create_empty, .after = would_have_blocked,
           .tear_down = destroy)

static bool has_timed_out(const struct series *series, uintptr_t result) {
    return (int)result == -1 && errno == ETIMEDOUT;
}

TIMED_CASE(sem_timedwait, late, sem_timedwait, sem_timedwait(&semaphore, &long_ago), LIBRARY,
           .condition = "value 0; the time is past: ETIMEDOUT", .set_up = create_empty,
           .after = has_timed_out, .tear_down = destroy)

static int value;

TIMED_CASE(sem_getvalue, one, sem_getvalue, sem_getvalue(&semaphore, &value), LIBRARY,
           .condition = "value 1", .set_up = create_full, .after = was_made, .tear_down = destroy)

/* A thread of higher priority waits: it goes on before the call returns. */

RETURNS_FROM(wait_above, "sem_post.wakes_higher", sem_wait(&semaphore), (void)0)

static bool create_and_let_wait(const struct series *series) {
    return create_empty(series) && start_partner(wait_above, ABOVE);
}

static void stop_and_destroy(const struct series *series) {
    stop_partner();
    destroy(series);
}

TIMED_CASE(sem_post, wakes_higher, sem_post, sem_post(&semaphore), LIBRARY,
           .condition = "a thread of higher priority waits", .flags = CASE_MOVES,
           .set_up = create_and_let_wait, .after = was_made, .tear_down = stop_and_destroy)

/* The caller waits: a thread that is ready goes on, and posts. */

RETURNS_FROM(yield_and_post, "sem_wait.blocks", sched_yield(), sem_post(&semaphore))

static bool create_and_start(const struct series *series) {
    return create_empty(series) && start_partner(yield_and_post, EQUAL);
}

TIMED_CASE(sem_wait, blocks, sem_wait, sem_wait(&semaphore), LIBRARY,
           .condition = "value 0, another thread is ready and goes on", .flags = CASE_MOVES,
           .set_up = create_and_start, .after = was_made, .tear_down = stop_and_destroy)

/* With a name. */

enum { MODE = 0600 };

static sem_t *named;

static bool open_named(int flags) {
    named = sem_open(shared_name, flags, MODE, 0);
    return done("sem_open", named == SEM_FAILED ? errno : 0);
}

static bool make_named(const struct series *series) {
    return open_named(O_CREAT | O_EXCL);
}

static bool make_and_close(const struct series *series) {
    return make_named(series) && MADE(sem_close(named));
}

static bool unlink_made(const struct series *series, uintptr_t result) {
    named = (sem_t *)result;
    return done(NULL, named == SEM_FAILED ? errno : 0) && MADE(sem_close(named)) &&
           MADE(sem_unlink(shared_name));
}

static bool close_opened(const struct series *series, uintptr_t result) {
    named = (sem_t *)result;
    return done(NULL, named == SEM_FAILED ? errno : 0) && MADE(sem_close(named));
}

static bool open_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && open_named(0);
}

static bool make_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && make_and_close(series);
}

static void unlink_named(const struct series *series) {
    sem_unlink(shared_name);
}

TIMED_CASE(sem_open, create, sem_open, sem_open(shared_name, O_CREAT | O_EXCL, MODE, 0), LIBRARY,
           .condition = "a new name", .after = unlink_made, .tear_down = unlink_named)

TIMED_CASE(sem_open, existing, sem_open, sem_open(shared_name, 0), LIBRARY,
           .condition = "the name exists", .set_up = make_and_close, .after = close_opened,
           .tear_down = unlink_named)

TIMED_CASE(sem_close, open, sem_close, sem_close(named), LIBRARY, .condition = "opened once",
           .set_up = make_named, .after = open_again, .tear_down = unlink_named)

TIMED_CASE(sem_unlink, closed, sem_unlink, sem_unlink(shared_name), LIBRARY,
           .condition = "not open", .set_up = make_and_close, .after = make_again,
           .tear_down = unlink_named)
