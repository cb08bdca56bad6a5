/* time.h: what reckons and writes times; no clock is read. The zone is UTC. */
#include <time.h>

#include "calendar.h"
#include "library_case.h"

/* 2026-11-22 05:40:00 UTC, a Sunday. */
enum { MOMENT = 1795326000 };

/* x years behind 1970, on 1 March. */
static time_t moment;
static struct tm broken_down;
static char text[64];

/* The first calls set up the time zone before the series. */
static bool take_moment(const struct series *series) {
    broken_down = (struct tm){.tm_year = 70 + (int)series->x, .tm_mon = 2, .tm_mday = 1};
    moment = mktime(&broken_down);
    localtime(&moment);
    return moment != (time_t)-1;
}

static bool take_fixed_moment(const struct series *series) {
    moment = MOMENT_IN_LIBRARY(MOMENT);
    broken_down = *localtime(&moment);
    return mktime(&broken_down) == moment;
}

#define BY_YEARS .parameter = "years since 1970", .unit = "year", X_FROM_TO(FIRST_YEAR, 60)

AFTER(is_something, result != 0)

TIMED_CASE(gmtime, march, gmtime, gmtime(&moment), LIBRARY, BY_YEARS, .condition = "on 1 March",
           .set_up = take_moment, .after = is_something)
TIMED_CASE(localtime, march, localtime, localtime(&moment), LIBRARY, BY_YEARS,
           .condition = "on 1 March, zone UTC", .set_up = take_moment, .after = is_something)
TIMED_ACTION(mktime, march, mktime, mktime(&broken_down), LIBRARY, BY_YEARS,
             .condition = "on 1 March, zone UTC", .set_up = take_moment)
TIMED_ACTION(difftime, hour, difftime, difftime(moment, moment - 3600), LIBRARY,
             .condition = "an hour", .set_up = take_fixed_moment)

AFTER(is_text, IS_ASCTIME(result, text))
AFTER(has_19_letters, LETTERS(result, text) == 19)

TIMED_ASCTIME(asctime_r, moment, asctime_r, asctime_r(&broken_down, text), LIBRARY,
              .condition = "2026-11-22 05:40:00", .set_up = take_fixed_moment, .after = is_text)
TIMED_CASE(strftime, numbers, strftime,
           strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &broken_down), LIBRARY,
           .condition = "date and time in numbers", .set_up = take_fixed_moment,
           .after = has_19_letters)
#ifndef __AVR__ /* its memory holds no more cases */
/* Letters of the format itself; one conversion alone. */
static char letters[40];

static bool take_letters(const struct series *series) {
    memset(letters, 'a', series->x);
    letters[series->x] = 0;
    return take_fixed_moment(series);
}

AFTER(has_x_letters, LETTERS(result, text) == series->x)

TIMED_CASE(strftime, letters, strftime, strftime(text, sizeof text, letters, &broken_down), LIBRARY,
           .parameter = "letters", .unit = "byte", X_FROM_TO(0, 32),
           .condition = "letters without a conversion", .set_up = take_letters,
           .after = has_x_letters)

#define TIME_CONVERSION(name, conversion, text_)                                                \
    TIMED_CASE(strftime, name, strftime, strftime(text, sizeof text, conversion, &broken_down), \
               LIBRARY, .condition = text_, .set_up = take_fixed_moment, .after = is_something)

TIME_CONVERSION(two_digits, "%M", "minutes alone")
TIME_CONVERSION(year, "%Y", "the year alone")
TIME_CONVERSION(day_name, "%A", "the name of the day alone")
TIME_CONVERSION(half, "%p", "the half of the day alone")
TIME_CONVERSION(week, "%U", "the number of the week alone")
TIME_CONVERSION(day_of_year, "%j", "the day of the year alone")
#endif

TIMED_CASE(strftime, names, strftime,
           strftime(text, sizeof text, "%A, %d %B %Y, week %U, %p", &broken_down), LIBRARY,
           .condition = "day and month by name, number of the week", .set_up = take_fixed_moment,
           .after = is_something)
