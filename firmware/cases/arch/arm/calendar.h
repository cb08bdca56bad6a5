/* The calendar of the libraries for ARM. */
#ifndef CALENDAR_H
#define CALENDAR_H

#define FIRST_YEAR 0 /* since 1970 */
#define MOMENT_IN_LIBRARY(unix_seconds) (unix_seconds)
#define TIMED_ASCTIME TIMED_CASE
#define IS_ASCTIME(result, text) ((result) == (uintptr_t)(text))
#define LETTERS(result, text) (result)

#endif
