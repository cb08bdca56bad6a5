/* The calendar of avr-libc: it begins in 2000, asctime_r() returns nothing, and strftime() counts
 * the final zero too. */
#ifndef CALENDAR_H
#define CALENDAR_H

#include <string.h>
#include <time.h>

#define FIRST_YEAR 30 /* since 1970 */
#define MOMENT_IN_LIBRARY(unix_seconds) ((time_t)(unix_seconds)-UNIX_OFFSET)
#define TIMED_ASCTIME TIMED_ACTION
#define IS_ASCTIME(result, text) ((text)[0] == 'S')
#define LETTERS(result, text) strlen(text)

#endif
