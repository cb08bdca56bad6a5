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

#ifndef __AVR__ /* its memory holds no more cases */
/* x spaces before a digit. */
static char blanks[16];

static bool take_blanks(const struct series *series) {
    memset(blanks, ' ', series->x);
    strcpy(blanks + series->x, "9");
    return true;
}

TIMED_CASE(strtol, blanks, strtol, strtol(blanks, NULL, 10), LIBRARY, .parameter = "blanks",
           .unit = "byte", X_FROM_TO(0, 8), .condition = "decimal: one digit behind spaces",
           .set_up = take_blanks, .after = ends_in_9)

/* Numbers of 64 bits. */
static const char many_digits[] = "123456789123456789";

static bool take_many_digits(const struct series *series) {
    digits = many_digits + sizeof many_digits - 1 - series->x;
    return true;
}

#define BY_MANY_DIGITS .parameter = "digits", .unit = "digit", X_FROM_TO(1, 15)

TIMED_ACTION(strtoll, hexadecimal, strtoll, strtoll(digits, NULL, 16), LIBRARY, BY_MANY_DIGITS,
             .condition = "hexadecimal", .set_up = take_many_digits)
TIMED_ACTION(strtoull, decimal, strtoull, strtoull(digits, NULL, 10), LIBRARY, BY_MANY_DIGITS,
             .condition = "decimal", .set_up = take_many_digits)
TIMED_ACTION(strtoull, hexadecimal, strtoull, strtoull(digits, NULL, 16), LIBRARY, BY_MANY_DIGITS,
             .condition = "hexadecimal", .set_up = take_many_digits)
#define BASE_BY_TEXT(function)                                                               \
    TIMED_ACTION(function, by_text, function, function(digits, NULL, 0), LIBRARY, BY_DIGITS, \
                 .condition = "the base by the text: decimal", .set_up = take_digits)

BASE_BY_TEXT(strtol)
BASE_BY_TEXT(strtoul)
BASE_BY_TEXT(strtoll)
BASE_BY_TEXT(strtoull)
TIMED_ACTION(strtoll, no_digits, strtoll, strtoll("x", NULL, 10), LIBRARY,
             .condition = "decimal, no digits")
TIMED_ACTION(strtoull, no_digits, strtoull, strtoull("x", NULL, 10), LIBRARY,
             .condition = "decimal, no digits")
#endif

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
static char fraction[24];

static bool take_places(const struct series *series) {
    strcpy(fraction, "0.");
    strncat(fraction, many_digits, series->x);
    return strtod(fraction, NULL) > 0;
}

TIMED_ACTION(strtod, places, strtod, strtod(fraction, NULL), LIBRARY, .parameter = "places",
             .unit = "digit", X_FROM_TO(1, 17), .condition = "0 and places behind the point",
             .set_up = take_places)

/* Powers of ten up to 22 are exact; beyond, numbers of many words are compared. */
static bool take_power(const struct series *series) {
    strcpy(fraction, "1.5e-");
    fraction[5] = (char)('0' + series->x / 10);
    fraction[6] = (char)('0' + series->x % 10);
    fraction[7] = 0;
    return strtod(fraction, NULL) > 0;
}

TIMED_ACTION(strtod, power, strtod, strtod(fraction, NULL), LIBRARY, .parameter = "power",
             .unit = "place", X_FROM_TO(1, 22), .condition = "1.5 and a negative power of ten",
             .set_up = take_power)
TIMED_ACTION(strtod, far, strtod, strtod(fraction, NULL), LIBRARY, .parameter = "power",
             .unit = "place", X_FROM_TO(24, 60),
             .condition = "1.5 and a negative power of ten that is not exact", .set_up = take_power)
TIMED_ACTION(strtof, fraction, strtof, strtof("3.14159", NULL), LIBRARY, .condition = "3.14159",
             .set_up = warm_strtod)
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
#ifndef __AVR__ /* its memory holds no more cases */
TIMED_ACTION(lldiv, positive, lldiv, lldiv(1000, 7), LIBRARY, .condition = "1000 by 7")
#endif

ONCE(warm_rand, rand())

TIMED_CASE(rand, next, rand, rand(), LIBRARY, .condition = "the next number", .set_up = warm_rand)
#ifndef __AVR__ /* its memory holds no more cases */
static unsigned state;

static bool take_state(const struct series *series) {
    state = 7;
    return true;
}

TIMED_CASE(rand_r, next, rand_r, rand_r(&state), LIBRARY, .condition = "the next number",
           .set_up = take_state)
#endif
TIMED_ACTION(srand, seed, srand, srand(7), LIBRARY, .condition = "a new seed", .set_up = warm_rand)

#if defined(__NEWLIB__) && !defined(__PICOLIBC__)
/* `errno` is a call there; in picolibc it is a variable. */
TIMED_CASE(errno, address, __errno, (uintptr_t)__errno(), LIBRARY, .condition = "where it lies")
#endif
