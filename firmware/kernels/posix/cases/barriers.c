/* Barriers. */
#include "posix_case.h"

static pthread_barrier_t barrier;

static bool create(uint32_t count) {
    return DONE(pthread_barrier_init(&barrier, NULL, count));
}

static bool create_for_one(const struct series *series) {
    return create(1);
}

static void destroy(const struct series *series) {
    pthread_barrier_destroy(&barrier);
}

static bool destroy_made(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_barrier_destroy(&barrier));
}

static bool make_again(const struct series *series, uintptr_t error) {
    return was_done(series, error) && create(1);
}

TIMED_CASE(pthread_barrier_init, plain, pthread_barrier_init,
           pthread_barrier_init(&barrier, NULL, 1), LIBRARY, .condition = "for one thread",
           .after = destroy_made)

TIMED_CASE(pthread_barrier_destroy, nobody, pthread_barrier_destroy,
           pthread_barrier_destroy(&barrier), LIBRARY, .condition = "nobody waits",
           .set_up = create_for_one, .after = make_again, .tear_down = destroy)

static bool was_last(const struct series *series, uintptr_t result) {
    return (int)result == PTHREAD_BARRIER_SERIAL_THREAD;
}

TIMED_CASE(pthread_barrier_wait, alone, pthread_barrier_wait, pthread_barrier_wait(&barrier),
           LIBRARY, .condition = "for one thread", .set_up = create_for_one, .after = was_last,
           .tear_down = destroy)

/* x others wait; the caller is the last and wakes them. The last one to run may get the
 * mark of the one, so the result says nothing. */

static void *wait_in_crowd(void *unused) {
    while (!company_ends) {
        say_arrived();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

static bool crowd_is_whole;

static bool create_crowd(const struct series *series) {
    crowd_is_whole = create(series->x + 1) && start_crowd(wait_in_crowd, series->x);
    return crowd_is_whole;
}

static bool all_wait_again(const struct series *series, uintptr_t result) {
    return crowd_waits(series->x);
}

/* Fewer never pass the barrier: they end with the process. */
static void end_crowd(const struct series *series) {
    if (!crowd_is_whole)
        return;
    company_ends = true;
    pthread_barrier_wait(&barrier);
    stop_crowd();
    destroy(series);
}

TIMED_CASE(pthread_barrier_wait, last, pthread_barrier_wait, pthread_barrier_wait(&barrier),
           LIBRARY, .condition = "the last; x threads wait and are woken", X_FROM_TO(1, 16),
           .parameter = "waiting threads", .unit = "thread", .set_up = create_crowd,
           .after = all_wait_again, .tear_down = end_crowd)
