/* stdlib.h: numbers from text, small arithmetic, random numbers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "library_case.h"

#undef abs

/* The last x of these digits. */
static const char decimal[] = "123456789", hexadecimal[] = "0x1a2b3c4d";
static const char *digits;

static bool take_digits(const struct series *series) {
    digits = decimal + sizeof decimal - 1 - series->x;
    return true;
}

#define BY_DIGITS .parameter = "digits", .unit = "digit", X_FROM_TO(1, 9)
#define BY_DIGITS_OF_INT \
    .parameter = "digits", .unit = "digit", X_FROM_TO(1, sizeof(int) > 2 ? 9 : 4)

/* Of more bits than an answer holds the last digit is not known. */
AFTER(ends_in_9, sizeof result < sizeof(long) || result % 10 == 9)

TIMED_CASE(strtol, decimal, strtol, strtol(digits, NULL, 10), LIBRARY, BY_DIGITS,
           .condition = "decimal", .set_up = take_digits, .after = ends_in_9)
TIMED_CASE(strtoul, decimal, strtoul, strtoul(digits, NULL, 10), LIBRARY, BY_DIGITS,
           .condition = "decimal", .set_up = take_digits, .after = ends_in_9)
#ifndef __AVR__ /* avr-libc has none */
TIMED_ACTION(strtoll, decimal, strtoll, strtoll(digits, NULL, 10), LIBRARY, BY_DIGITS,
             .condition = "decimal", .set_up = take_digits)
#endif
TIMED_CASE(atoi, decimal, atoi, atoi(digits), LIBRARY, BY_DIGITS_OF_INT, .condition = "decimal",
           .set_up = take_digits, .after = ends_in_9)

static bool take_hexadecimal(const struct series *series) {
    digits = hexadecimal + sizeof hexadecimal - 1 - series->x;
    return true;
}

#define BY_HEXADECIMAL_DIGITS .parameter = "digits", .unit = "digit", X_FROM_TO(1, 8)

AFTER(ends_in_d, result % 16 == 13)

TIMED_CASE(strtol, hexadecimal, strtol, strtol(digits, NULL, 16), LIBRARY, BY_HEXADECIMAL_DIGITS,
           .condition = "hexadecimal", .set_up = take_hexadecimal, .after = ends_in_d)
TIMED_CASE(strtoul, hexadecimal, strtoul, strtoul(digits, NULL, 16), LIBRARY, BY_HEXADECIMAL_DIGITS,
           .condition = "hexadecimal", .set_up = take_hexadecimal, .after = ends_in_d)

AFTER(is_hexadecimal, result == (uintptr_t)0x1a2b3c4d)
AFTER(is_negative, (intptr_t)result == (intptr_t)-123456789)
AFTER(is_longest, result == (uintptr_t)INT32_MAX)
AFTER(is_zero, result == 0)

TIMED_CASE(strtol, any_base, strtol, strtol(hexadecimal, NULL, 0), LIBRARY,
           .condition = "the base by the text: 0x and 8 digits", .after = is_hexadecimal)
TIMED_CASE(strtol, negative, strtol, strtol("  -123456789", NULL, 10), LIBRARY,
           .condition = "decimal: two spaces, a sign and 9 digits", .after = is_negative)
TIMED_CASE(strtol, overflow, strtol, strtol("9999999999", NULL, 10), LIBRARY,
           .condition = "decimal, more than a long holds", .after = is_longest)
TIMED_CASE(strtol, no_digits, strtol, strtol("x", NULL, 10), LIBRARY, .condition = "no digits",
           .after = is_zero)

/* strtod() may take memory at its first call, and keeps it. */
ONCE(warm_strtod, strtod("1.5e10", NULL))

static bool take_digits_warm(const struct series *series) {
    return warm_strtod(series) && take_digits(series);
}

TIMED_ACTION(strtod, integer, strtod, strtod(digits, NULL), LIBRARY, BY_DIGITS,
             .condition = "digits alone", .set_up = take_digits_warm)
TIMED_ACTION(strtod, fraction, strtod, strtod("3.14159", NULL), LIBRARY, .condition = "3.14159",
             .set_up = warm_strtod)
#ifndef __AVR__ /* its memory holds no more cases */
static char fraction[12];

static bool take_places(const struct series *series) {
    strcpy(fraction, "0.");
    strncat(fraction, decimal, series->x);
    return warm_strtod(series);
}

TIMED_ACTION(strtod, places, strtod, strtod(fraction, NULL), LIBRARY, .parameter = "places",
             .unit = "digit", X_FROM_TO(1, 9), .condition = "0 and places behind the point",
             .set_up = take_places)
#endif
TIMED_ACTION(strtod, exponent, strtod, strtod("1.602e-19", NULL), LIBRARY, .condition = "1.602e-19",
             .set_up = warm_strtod)
TIMED_ACTION(atof, fraction, atof, atof("3.14159"), LIBRARY, .condition = "3.14159",
             .set_up = warm_strtod)

AFTER(is_seven, result == 7)

TIMED_CASE(abs, negative, abs, abs(-7), LIBRARY, .condition = "a negative number",
           .after = is_seven)
TIMED_ACTION(div, positive, div, div(1000, 7), LIBRARY, .condition = "1000 by 7")
TIMED_ACTION(ldiv, positive, ldiv, ldiv(1000, 7), LIBRARY, .condition = "1000 by 7")

ONCE(warm_rand, rand())

TIMED_CASE(rand, next, rand, rand(), LIBRARY, .condition = "the next number", .set_up = warm_rand)
TIMED_ACTION(srand, seed, srand, srand(7), LIBRARY, .condition = "a new seed", .set_up = warm_rand)

#if defined(__NEWLIB__) && !defined(__PICOLIBC__)
/* `errno` is a call there; in picolibc it is a variable. */
TIMED_CASE(errno, address, __errno, (uintptr_t)__errno(), LIBRARY, .condition = "where it lies")
#endif
