/* Clocks, and sleeping for no time. */
#include <time.h>

#include "posix_case.h"

static struct timespec now;
static const struct timespec no_time;

TIMED_CASE(clock_gettime, monotonic, clock_gettime, clock_gettime(CLOCK_MONOTONIC, &now), LIBRARY,
           .condition = "CLOCK_MONOTONIC", .after = was_made)

TIMED_CASE(clock_gettime, realtime, clock_gettime, clock_gettime(CLOCK_REALTIME, &now), LIBRARY,
           .condition = "CLOCK_REALTIME", .after = was_made)

TIMED_CASE(clock_gettime, process, clock_gettime, clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now),
           LIBRARY, .condition = "CLOCK_PROCESS_CPUTIME_ID", .after = was_made)

TIMED_CASE(clock_gettime, thread, clock_gettime, clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now),
           LIBRARY, .condition = "CLOCK_THREAD_CPUTIME_ID", .after = was_made)

TIMED_CASE(clock_getres, monotonic, clock_getres, clock_getres(CLOCK_MONOTONIC, &now), LIBRARY,
           .condition = "CLOCK_MONOTONIC", .after = was_made)

TIMED_CASE(time, now, time, time(NULL), LIBRARY, .condition = "without a place for the result",
           .after = was_made)

TIMED_CASE(nanosleep, zero, nanosleep, nanosleep(&no_time, NULL), LIBRARY, .condition = "for 0 ns",
           .after = was_made)

TIMED_CASE(clock_nanosleep, past, clock_nanosleep,
           clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &no_time, NULL), LIBRARY,
           .condition = "until a time that is past", .after = was_done)
