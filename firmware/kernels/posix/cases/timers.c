/* Timers of a process. None of them comes to its end: they are armed for an hour. */
#include <signal.h>
#include <time.h>

#include "posix_case.h"

static const struct itimerspec in_an_hour = {.it_value = {.tv_sec = 3600}}, never;
static struct sigevent silent = {.sigev_notify = SIGEV_NONE};
static struct itimerspec left;
static timer_t timer, *created;

static bool create(const struct series *series) {
    return MADE(timer_create(CLOCK_MONOTONIC, &silent, &timer));
}

static bool create_armed(const struct series *series) {
    return create(series) && MADE(timer_settime(timer, 0, &in_an_hour, NULL));
}

static bool disarm_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(timer_settime(timer, 0, &never, NULL));
}

static bool arm_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(timer_settime(timer, 0, &in_an_hour, NULL));
}

static bool create_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && create(series);
}

static void delete (const struct series *series) {
    timer_delete(timer);
}

TIMED_CASE(timer_settime, arm, timer_settime, timer_settime(timer, 0, &in_an_hour, NULL), LIBRARY,
           .condition = "not armed, to an hour", .set_up = create, .after = disarm_again,
           .tear_down = delete)

TIMED_CASE(timer_settime, disarm, timer_settime, timer_settime(timer, 0, &never, NULL), LIBRARY,
           .condition = "armed, to never", .set_up = create_armed, .after = arm_again,
           .tear_down = delete)

TIMED_CASE(timer_gettime, armed, timer_gettime, timer_gettime(timer, &left), LIBRARY,
           .condition = "armed", .set_up = create_armed, .after = was_made, .tear_down = delete)

TIMED_CASE(timer_getoverrun, never, timer_getoverrun, timer_getoverrun(timer), LIBRARY,
           .condition = "never came to its end", .set_up = create_armed, .after = was_made,
           .tear_down = delete)

TIMED_CASE(timer_delete, idle, timer_delete, timer_delete(timer), LIBRARY, .condition = "not armed",
           .set_up = create, .after = create_again, .tear_down = delete)

/* Create: as many as the series is long. */

static uint16_t created_count;

static bool create_none(const struct series *series) {
    created_count = 0;
    created = calloc(series->length, sizeof *created);
    return done("calloc", created == NULL ? ENOMEM : 0);
}

static bool was_created(const struct series *series, uintptr_t result) {
    created_count += (int)result == 0;
    return was_made(series, result);
}

static void delete_created(const struct series *series) {
    while (created != NULL && created_count > 0)
        timer_delete(created[--created_count]);
    free(created);
}

TIMED_CASE(timer_create, one_more, timer_create,
           timer_create(CLOCK_MONOTONIC, &silent, &created[series->index]), LIBRARY,
           .condition = "after those created before it", .flags = CASE_LENGTH_IS_LOAD,
           .set_up = create_none, .after = was_created, .tear_down = delete_created)
