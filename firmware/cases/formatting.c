/* stdio.h: text by format, to and from memory. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "library_case.h"

enum { ROOM = 128 };

static char text[ROOM];

/* Strings of x letters, numbers of x digits. */

#define BY_LENGTH .parameter = "length", .unit = "byte", X_FROM_TO(0, 64)
#define BY_DIGITS .parameter = "digits", .unit = "digit", X_FROM_TO(1, sizeof(int) > 2 ? 9 : 4)

static char letters[ROOM];
static int number;

static bool take_letters(const struct series *series) {
    memset(letters, 'a', series->x);
    letters[series->x] = 0;
    return true;
}

static bool take_number(const struct series *series) {
    number = 0;
    for (uint32_t i = 1; i <= series->x; i++)
        number = 10 * number + (int)i;
    return true;
}

static bool take_hexadecimal(const struct series *series) {
    number = series->x == 0 ? 0 : (int)(0x1a2b3c4du >> (32 - 4 * series->x));
    return true;
}

AFTER(has_x_letters, result == series->x && text[series->x] == 0)
AFTER(has_8_letters, result == 8)
AFTER(has_some_letters, (intptr_t)result > 0)

TIMED_CASE(sprintf, plain, sprintf, sprintf(text, letters), LIBRARY, BY_LENGTH,
           .condition = "no conversion", .set_up = take_letters, .after = has_x_letters)
TIMED_CASE(sprintf, string, sprintf, sprintf(text, "%s", letters), LIBRARY, BY_LENGTH,
           .condition = "%s", .set_up = take_letters, .after = has_x_letters)
TIMED_CASE(sprintf, integer, sprintf, sprintf(text, "%d", number), LIBRARY, BY_DIGITS,
           .condition = "%d", .set_up = take_number, .after = has_x_letters)
#if INT_MAX > INT16_MAX
TIMED_CASE(sprintf, negative, sprintf, sprintf(text, "%d", -123456789), LIBRARY,
           .condition = "%d of -123456789", .after = has_some_letters)
#endif

TIMED_CASE(sprintf, hexadecimal, sprintf, sprintf(text, "%x", number), LIBRARY, .condition = "%x",
           .parameter = "digits", .unit = "digit", X_FROM_TO(1, 2 * sizeof(int)),
           .set_up = take_hexadecimal, .after = has_x_letters)
TIMED_CASE(sprintf, padded, sprintf, sprintf(text, "%08d", 1234), LIBRARY,
           .condition = "%08d of 1234", .after = has_8_letters)
#define BY_WIDTH .parameter = "width", .unit = "byte", X_FROM_TO(1, 64)

TIMED_CASE(sprintf, right, sprintf, sprintf(text, "%*d", (int)series->x, 7), LIBRARY, BY_WIDTH,
           .condition = "%*d of 7", .after = has_x_letters)
TIMED_CASE(sprintf, right_string, sprintf, sprintf(text, "%*s", (int)series->x, "a"), LIBRARY,
           BY_WIDTH, .condition = "%*s of one letter", .after = has_x_letters)
TIMED_CASE(sprintf, left_string, sprintf, sprintf(text, "%-*s", (int)series->x, "a"), LIBRARY,
           BY_WIDTH, .condition = "%-*s of one letter", .after = has_x_letters)
TIMED_CASE(sprintf, zeros, sprintf, sprintf(text, "%0*d", (int)series->x, 7), LIBRARY, BY_WIDTH,
           .condition = "%0*d of 7", .after = has_x_letters)
TIMED_CASE(sprintf, left, sprintf, sprintf(text, "%-8d", 1234), LIBRARY,
           .condition = "%-8d of 1234", .after = has_8_letters)
TIMED_CASE(sprintf, character, sprintf, sprintf(text, "%c", 'a'), LIBRARY, .condition = "%c",
           .after = has_some_letters)
TIMED_CASE(sprintf, long_integer, sprintf, sprintf(text, "%ld", 123456789L), LIBRARY,
           .condition = "%ld of 123456789", .after = has_some_letters)
TIMED_CASE(sprintf, three, sprintf, sprintf(text, "%d %s %x", 1234, "abcd", 0x1234), LIBRARY,
           .condition = "%d %s %x: 1234, abcd, 1234", .after = has_some_letters)
TIMED_CASE(snprintf, truncates, snprintf, snprintf(text, 9, "%s", letters), LIBRARY, BY_LENGTH,
           .condition = "%s into 9 bytes", .set_up = take_letters)

/* The first conversion of a double may take memory, which is kept. */
ONCE(warm_double, sprintf(text, "%f %e %g", 1.5, 1.5, 1.5))

TIMED_CASE(sprintf, fixed, sprintf, sprintf(text, "%f", 3.14159), LIBRARY,
           .condition = "%f of 3.14159", .set_up = warm_double, .after = has_8_letters)
TIMED_CASE(sprintf, two_places, sprintf, sprintf(text, "%.2f", 3.14159), LIBRARY,
           .condition = "%.2f of 3.14159", .set_up = warm_double, .after = has_some_letters)
TIMED_CASE(sprintf, exponent, sprintf, sprintf(text, "%e", 1.602e-19), LIBRARY,
           .condition = "%e of 1.602e-19", .set_up = warm_double, .after = has_some_letters)
TIMED_CASE(sprintf, shortest, sprintf, sprintf(text, "%g", 0.5), LIBRARY, .condition = "%g of 0.5",
           .set_up = warm_double, .after = has_some_letters)

#ifndef __AVR__ /* its memory holds no more cases */
/* Digits of doubles: by places, and by how large or small the number is. */
static double written;

static bool write_once(void) {
    return sprintf(text, "%.2f %.6f %.3e %g", written, written, written, written) > 0;
}

static bool take_large(const struct series *series) {
    written = 1.2345678912345;
    for (uint32_t i = 0; i < series->x; i++)
        written *= 10;
    return write_once();
}

static bool take_small(const struct series *series) {
    written = 1.2345678912345;
    for (uint32_t i = 0; i < series->x; i++)
        written /= 10;
    return write_once();
}

#define BY_PLACES .parameter = "places", .unit = "digit", X_FROM_TO(0, 12)
#define BY_POWER .parameter = "power", .unit = "place", X_FROM_TO(0, 16)

TIMED_CASE(sprintf, fixed_places, sprintf, sprintf(text, "%.*f", (int)series->x, 3.14159265358979),
           LIBRARY, BY_PLACES, .condition = "%.*f of 3.14159265358979", .set_up = warm_double,
           .after = has_some_letters)
TIMED_CASE(sprintf, fixed_large, sprintf, sprintf(text, "%.2f", written), LIBRARY, BY_POWER,
           .condition = "%.2f of 1.2345678912345 by a power of ten", .set_up = take_large,
           .after = has_some_letters)
TIMED_CASE(sprintf, fixed_small, sprintf, sprintf(text, "%.6f", written), LIBRARY, BY_POWER,
           .condition = "%.6f of 1.2345678912345 divided by a power of ten", .set_up = take_small,
           .after = has_some_letters)
TIMED_CASE(sprintf, exponent_places, sprintf,
           sprintf(text, "%.*e", (int)series->x, 3.14159265358979), LIBRARY, BY_PLACES,
           .condition = "%.*e of 3.14159265358979", .set_up = warm_double,
           .after = has_some_letters)
TIMED_CASE(sprintf, exponent_large, sprintf, sprintf(text, "%.3e", written), LIBRARY, BY_POWER,
           .condition = "%.3e of 1.2345678912345 by a power of ten", .set_up = take_large,
           .after = has_some_letters)
TIMED_CASE(sprintf, exponent_small, sprintf, sprintf(text, "%.3e", written), LIBRARY, BY_POWER,
           .condition = "%.3e of 1.2345678912345 divided by a power of ten", .set_up = take_small,
           .after = has_some_letters)
TIMED_CASE(sprintf, shortest_places, sprintf,
           sprintf(text, "%.*g", (int)series->x + 1, 3.14159265358979), LIBRARY, BY_PLACES,
           .condition = "%.*g of 3.14159265358979", .set_up = warm_double,
           .after = has_some_letters)
TIMED_CASE(sprintf, shortest_large, sprintf, sprintf(text, "%g", written), LIBRARY, BY_POWER,
           .condition = "%g of 1.2345678912345 by a power of ten", .set_up = take_large,
           .after = has_some_letters)
TIMED_CASE(sprintf, shortest_small, sprintf, sprintf(text, "%g", written), LIBRARY, BY_POWER,
           .condition = "%g of 1.2345678912345 divided by a power of ten", .set_up = take_small,
           .after = has_some_letters)
TIMED_CASE(sprintf, whole_double, sprintf, sprintf(text, "%.1f", 42.0), LIBRARY,
           .condition = "%.1f of 42.0", .set_up = warm_double, .after = has_some_letters)
TIMED_CASE(sprintf, octal, sprintf, sprintf(text, "%o", 01234567), LIBRARY,
           .condition = "%o of 1234567", .after = has_some_letters)
TIMED_CASE(sprintf, texts_around, sprintf, sprintf(text, "value: %d units", 1234), LIBRARY,
           .condition = "seven letters, %d of 1234, six letters", .after = has_some_letters)
TIMED_CASE(sprintf, four_letters, sprintf, sprintf(text, "%c,%c %c;%c", 'a', 'b', 'c', 'd'),
           LIBRARY, .condition = "four of %c with a letter between", .after = has_some_letters)
#endif

/* Reading. */

static int found;
static double found_double;
static char found_text[ROOM];

static bool write_number(const struct series *series) {
    take_number(series);
    sprintf(letters, "%d", number);
    return true;
}

AFTER(is_one, result == 1)
AFTER(is_two, result == 2)
AFTER(is_three, result == 3)
AFTER(is_zero, result == 0)

TIMED_CASE(sscanf, integer, sscanf, sscanf(letters, "%d", &found), LIBRARY, BY_DIGITS,
           .condition = "%d", .set_up = write_number, .after = is_one)
#if INT_MAX > INT16_MAX
TIMED_CASE(sscanf, hexadecimal, sscanf, sscanf("1a2b3c4d", "%x", (unsigned *)&found), LIBRARY,
           .condition = "%x of 1a2b3c4d", .after = is_one)
#endif

TIMED_CASE(sscanf, string, sscanf, sscanf(letters, "%s", found_text), LIBRARY, .condition = "%s",
           .parameter = "length", .unit = "byte", X_FROM_TO(1, 64), .set_up = take_letters,
           .after = is_one)
TIMED_CASE(sscanf, no_match, sscanf, sscanf("x", "%d", &found), LIBRARY,
           .condition = "%d of a letter", .after = is_zero)
TIMED_CASE(sscanf, three, sscanf,
           sscanf("1234 abcd 1234", "%d %s %x", &found, found_text, (unsigned *)&number), LIBRARY,
           .condition = "%d %s %x of 1234 abcd 1234", .after = is_three)

TIMED_CASE(sscanf, character, sscanf, sscanf("a", "%c", found_text), LIBRARY, .condition = "%c",
           .after = is_one)

/* x blanks before a digit. */
static bool write_blanks(const struct series *series) {
    memset(letters, ' ', series->x);
    strcpy(letters + series->x, "7");
    return true;
}

TIMED_CASE(sscanf, blanks, sscanf, sscanf(letters, "%d", &found), LIBRARY,
           .condition = "%d of 7 behind blanks", .parameter = "blanks", .unit = "byte",
           X_FROM_TO(1, 32), .set_up = write_blanks, .after = is_one)

#ifndef __AVR__ /* its memory holds no more cases */
/* x letters of the format itself; x letters of a set of 26 or of ten; what is left out. */
static char sought[ROOM];

static bool write_letters_twice(const struct series *series) {
    take_letters(series);
    strcpy(sought, letters);
    strcat(sought, "%n");
    return true;
}

#define BY_LETTERS .parameter = "length", .unit = "byte", X_FROM_TO(1, 48)

TIMED_CASE(sscanf, letters, sscanf, sscanf(letters, sought, &found), LIBRARY, BY_LETTERS,
           .condition = "letters of the format", .set_up = write_letters_twice, .after = is_zero)
TIMED_CASE(sscanf, set, sscanf, sscanf(letters, "%[a-z]", found_text), LIBRARY, BY_LETTERS,
           .condition = "%[a-z]", .set_up = take_letters, .after = is_one)
TIMED_CASE(sscanf, other_set, sscanf, sscanf(letters, "%[^,;]", found_text), LIBRARY, BY_LETTERS,
           .condition = "%[^,;]", .set_up = take_letters, .after = is_one)
TIMED_CASE(sscanf, small_set, sscanf, sscanf(letters, "%[a]", found_text), LIBRARY, BY_LETTERS,
           .condition = "%[a]", .set_up = take_letters, .after = is_one)
TIMED_CASE(sscanf, skipped, sscanf, sscanf(letters, "%*s"), LIBRARY, BY_LETTERS, .condition = "%*s",
           .set_up = take_letters, .after = is_zero)
TIMED_CASE(sscanf, number_left_out, sscanf, sscanf(letters, "%*d"), LIBRARY, BY_DIGITS,
           .condition = "%*d", .set_up = write_number, .after = is_zero)
TIMED_CASE(sscanf, double_left_out, sscanf, sscanf("3.14159", "%*f"), LIBRARY,
           .condition = "%*f of 3.14159", .after = is_zero)
TIMED_CASE(sscanf, two_letters, sscanf, sscanf("ab", "%c%c", found_text, found_text + 1), LIBRARY,
           .condition = "%c%c", .after = is_two)
TIMED_CASE(sscanf, two_numbers, sscanf, sscanf("12,34", "%d,%d", &found, &number), LIBRARY,
           .condition = "%d,%d of 12,34", .after = is_two)
TIMED_CASE(sscanf, unsigned, sscanf, sscanf("12", "%u", (unsigned *)&found), LIBRARY,
           .condition = "%u of 12", .after = is_one)
#endif

ONCE(warm_scan, sscanf("1.5", "%lf", &found_double))

TIMED_CASE(sscanf, double, sscanf, sscanf("3.14159", "%lf", &found_double), LIBRARY,
           .condition = "%lf of 3.14159", .set_up = warm_scan, .after = is_one)
#ifndef __AVR__ /* its memory holds no more cases */
static float found_float;

TIMED_CASE(sscanf, float, sscanf, sscanf("3.14159", "%f", &found_float), LIBRARY,
           .condition = "%f of 3.14159", .set_up = warm_scan, .after = is_one)

static bool write_double(const struct series *series) {
    strcpy(letters, "3.1415926535897");
    letters[series->x + 1] = 0;
    return warm_scan(series);
}

TIMED_CASE(sscanf, places, sscanf, sscanf(letters, "%lf", &found_double), LIBRARY,
           .parameter = "places", .unit = "digit", X_FROM_TO(1, 13),
           .condition = "%lf of 3 and places behind the point", .set_up = write_double,
           .after = is_one)
TIMED_CASE(sscanf, power, sscanf, sscanf("1.602e-19", "%lf", &found_double), LIBRARY,
           .condition = "%lf of 1.602e-19", .set_up = warm_scan, .after = is_one)
#endif
