/* Threads: creating, joining, detaching, yielding, and what belongs to one thread. */
#include <sched.h>
#include <semaphore.h>

#include "posix_case.h"

/* <pthread.h> says that it depends on nothing: called under that name it could be left out. */
extern pthread_t pthread_self_called(void) __asm__("pthread_self");
#define pthread_self pthread_self_called

/* glibc keeps 40 MiB of stacks of ended threads; one that is larger is mapped anew each time. */
enum { LARGE_STACK_BYTES = 64 * 1024 * 1024 };

static pthread_attr_t how;
static pthread_t thread;
static sem_t go_on;
static bool is_there;

static void *end_at_once(void *unused) {
    return unused;
}

static void *wait_and_end(void *unused) {
    while (sem_wait(&go_on) != 0)
        ;
    return unused;
}

/* Create: each thread is joined before the next one is made. */

static bool choose_stack(const struct series *series) {
    return DONE(pthread_attr_init(&how));
}

static bool choose_large_stack(const struct series *series) {
    return choose_stack(series) && DONE(pthread_attr_setstacksize(&how, LARGE_STACK_BYTES));
}

static bool choose_known_stack(const struct series *series) {
    return choose_stack(series) && DONE(pthread_create(&thread, &how, end_at_once, NULL)) &&
           DONE(pthread_join(thread, NULL));
}

static bool join_created(const struct series *series, uintptr_t error) {
    return was_done(series, error) && DONE(pthread_join(thread, NULL));
}

static void forget_stack(const struct series *series) {
    pthread_attr_destroy(&how);
}

TIMED_CASE(pthread_create, kept_stack, pthread_create,
           pthread_create(&thread, &how, end_at_once, NULL), LIBRARY,
           .condition = "stack of a thread that ended", .set_up = choose_known_stack,
           .after = join_created, .tear_down = forget_stack)

TIMED_CASE(pthread_create, new_stack, pthread_create,
           pthread_create(&thread, &how, end_at_once, NULL), LIBRARY,
           .condition = "stack of 64 MiB, mapped anew", .set_up = choose_large_stack,
           .after = join_created, .tear_down = forget_stack)

/* Join and detach. */

static bool create_ended(const struct series *series) {
    is_there = DONE(pthread_create(&thread, NULL, end_at_once, NULL));
    if (is_there)
        let_others_run();
    return is_there;
}

static bool replace_joined(const struct series *series, uintptr_t error) {
    is_there = false;
    return was_done(series, error) && create_ended(series);
}

static void join_last(const struct series *series) {
    if (is_there)
        pthread_join(thread, NULL);
    is_there = false;
}

TIMED_CASE(pthread_join, ended, pthread_join, pthread_join(thread, NULL), LIBRARY,
           .condition = "the thread has ended", .set_up = create_ended, .after = replace_joined,
           .tear_down = join_last)

static bool create_waiting(const struct series *series) {
    is_there = DONE(pthread_create(&thread, NULL, wait_and_end, NULL));
    if (is_there)
        let_others_run();
    return is_there;
}

static bool create_first_waiting(const struct series *series) {
    return MADE(sem_init(&go_on, 0, 0)) && create_waiting(series);
}

static bool replace_detached(const struct series *series, uintptr_t error) {
    is_there = false;
    sem_post(&go_on);
    let_others_run();
    return was_done(series, error) && create_waiting(series);
}

static void end_waiting(const struct series *series) {
    sem_post(&go_on);
    join_last(series);
    sem_destroy(&go_on);
}

TIMED_CASE(pthread_detach, waiting, pthread_detach, pthread_detach(thread), LIBRARY,
           .condition = "the thread waits", .set_up = create_first_waiting,
           .after = replace_detached, .tear_down = end_waiting)

static bool replace_cancelled(const struct series *series, uintptr_t error) {
    bool joined = DONE(pthread_join(thread, NULL));
    is_there = false;
    return was_done(series, error) && joined && create_waiting(series);
}

TIMED_CASE(pthread_cancel, waiting, pthread_cancel, pthread_cancel(thread), LIBRARY,
           .condition = "the thread waits for a semaphore", .set_up = create_first_waiting,
           .after = replace_cancelled, .tear_down = end_waiting)

/* Yield. */

TIMED_CASE(sched_yield, alone, sched_yield, sched_yield(), LIBRARY,
           .condition = "no other thread of the program is ready", .after = was_made)

RETURNS_FROM(yield_too, "sched_yield.equals", sched_yield(), (void)0)

static bool start_equal(const struct series *series) {
    return start_partner(yield_too, EQUAL);
}

static void stop_equal(const struct series *series) {
    stop_partner();
}

TIMED_CASE(sched_yield, equals, sched_yield, sched_yield(), LIBRARY,
           .condition = "another thread of the same priority is ready and yields too",
           .flags = CASE_MOVES, .set_up = start_equal, .after = was_made, .tear_down = stop_equal)

/* Oneself. */

TIMED_CASE(pthread_self, itself, pthread_self, pthread_self(), LIBRARY, .condition = "always")

static struct sched_param priority;
static int policy;

static bool know_priority(const struct series *series) {
    return DONE(pthread_getschedparam(pthread_self(), &policy, &priority));
}

TIMED_CASE(pthread_getschedparam, other, pthread_getschedparam,
           pthread_getschedparam(thread, &policy, &priority), LIBRARY,
           .condition = "a thread that waits", .set_up = create_first_waiting, .after = was_done,
           .tear_down = end_waiting)

static bool know_own_priority(const struct series *series) {
    thread = pthread_self();
    return know_priority(series);
}

TIMED_CASE(pthread_setschedparam, same, pthread_setschedparam,
           pthread_setschedparam(thread, policy, &priority), LIBRARY,
           .condition = "the caller's own, to what it has", .set_up = know_own_priority,
           .after = was_done)

TIMED_CASE(pthread_setcancelstate, same, pthread_setcancelstate,
           pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL), LIBRARY,
           .condition = "enabled, to enabled", .after = was_done)

/* Once, and values of one's own. */

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void do_once(void) {}

static bool has_done_once(const struct series *series) {
    return DONE(pthread_once(&once, do_once));
}

TIMED_CASE(pthread_once, done, pthread_once, pthread_once(&once, do_once), LIBRARY,
           .condition = "done before", .set_up = has_done_once, .after = was_done)

static pthread_key_t key;

static bool create_key(const struct series *series) {
    return DONE(pthread_key_create(&key, NULL)) && DONE(pthread_setspecific(key, &key));
}

static void delete_key(const struct series *series) {
    pthread_key_delete(key);
}

TIMED_CASE(pthread_getspecific, set, pthread_getspecific, pthread_getspecific(key), LIBRARY,
           .condition = "a key whose value is set", .set_up = create_key, .tear_down = delete_key)

TIMED_CASE(pthread_setspecific, set, pthread_setspecific, pthread_setspecific(key, &key), LIBRARY,
           .condition = "a key whose value is set", .set_up = create_key, .after = was_done,
           .tear_down = delete_key)
