/* string.h: strings, all but tokens and searches. */
#include <string.h>
#ifndef __AVR__ /* avr-libc has these in string.h */
#include <strings.h>
#endif

#include "library_case.h"

enum { LONGEST = 256, SPARE = 8 };

/* Two strings of x letters, and space. */
static char *source, *target;

static uint32_t strings_bytes(const struct series *series) {
    return 2 * ARENA_BLOCK(2 * LONGEST + SPARE);
}

static bool take_strings_at(size_t offset, uint32_t length) {
    source = arena_take(2 * LONGEST + SPARE);
    target = arena_take(2 * LONGEST + SPARE);
    if (target == NULL)
        return false;
    source += offset;
    memset(source, 'a', length);
    memset(target, 'a', length);
    source[length] = target[length] = 0;
    return true;
}

static bool take_strings(const struct series *series) {
    return take_strings_at(0, series->x);
}

static bool take_strings_beside(const struct series *series) {
    return take_strings_at(1, series->x);
}

#define STRINGS LIBRARY, .bytes = strings_bytes
#define BY_LENGTH .parameter = "length", .unit = "byte", X_FROM_TO(0, LONGEST)

AFTER(is_length, result == series->x)
AFTER(is_target, result == (uintptr_t)target)
AFTER(is_zero, result == 0)
AFTER(is_not_zero, result != 0)

TIMED_CASE(strlen, aligned, strlen, strlen(source), STRINGS, BY_LENGTH,
           .condition = "begins at a word", .set_up = take_strings, .after = is_length)

TIMED_CASE(strlen, unaligned, strlen, strlen(source), STRINGS, BY_LENGTH,
           .condition = "begins beside a word", .set_up = take_strings_beside, .after = is_length)

TIMED_CASE(strnlen, whole, strnlen, strnlen(source, LONGEST + 1), STRINGS, BY_LENGTH,
           .condition = "the string ends before the limit", .set_up = take_strings,
           .after = is_length)

TIMED_CASE(strcpy, aligned, strcpy, strcpy(target, source), STRINGS, BY_LENGTH,
           .condition = "both begin at a word", .set_up = take_strings, .after = is_target)

TIMED_CASE(strcpy, unaligned, strcpy, strcpy(target, source), STRINGS, BY_LENGTH,
           .condition = "the source begins beside a word", .set_up = take_strings_beside,
           .after = is_target)

TIMED_CASE(strncpy, pads, strncpy, strncpy(target, source, LONGEST), STRINGS, BY_LENGTH,
           .condition = "256 bytes, zeroes behind the string", .set_up = take_strings,
           .after = is_target)

#ifndef __AVR__ /* its memory holds no more cases */
TIMED_CASE(strncpy, exact, strncpy, strncpy(target, source, series->x), STRINGS, BY_LENGTH,
           .condition = "as many bytes as the string has", .set_up = take_strings,
           .after = is_target)

TIMED_CASE(strncpy, exact_beside, strncpy, strncpy(target, source, series->x), STRINGS, BY_LENGTH,
           .condition = "as many bytes as the string has, which begins beside a word",
           .set_up = take_strings_beside, .after = is_target)

AFTER(is_end_of_target, result == (uintptr_t)target + series->x)

TIMED_CASE(stpcpy, aligned, stpcpy, stpcpy(target, source), STRINGS, BY_LENGTH,
           .condition = "both begin at a word", .set_up = take_strings, .after = is_end_of_target)

TIMED_CASE(stpcpy, unaligned, stpcpy, stpcpy(target, source), STRINGS, BY_LENGTH,
           .condition = "the source begins beside a word", .set_up = take_strings_beside,
           .after = is_end_of_target)
#endif

/* Each call adds one letter behind x others, which are cut off again. */

static bool take_one_letter(const struct series *series) {
    if (!take_strings(series))
        return false;
    strcpy(source, "b");
    return true;
}

static bool cut(const struct series *series, uintptr_t result) {
    bool added = target[series->x] == 'b';
    target[series->x] = 0;
    return added && result == (uintptr_t)target;
}

TIMED_CASE(strcat, one_letter, strcat, strcat(target, source), STRINGS, BY_LENGTH,
           .condition = "one letter behind a string", .set_up = take_one_letter, .after = cut)

#ifndef __AVR__ /* its memory holds no more cases */
static bool take_one_letter_beside(const struct series *series) {
    if (!take_one_letter(series))
        return false;
    target += 1;
    memset(target, 'a', series->x);
    target[series->x] = 0;
    return true;
}

TIMED_CASE(strcat, beside, strcat, strcat(target, source), STRINGS, BY_LENGTH,
           .condition = "one letter behind a string that begins beside a word",
           .set_up = take_one_letter_beside, .after = cut)

TIMED_CASE(strncat, beside, strncat, strncat(target, source, LONGEST), STRINGS, BY_LENGTH,
           .condition = "one letter behind a string that begins beside a word",
           .set_up = take_one_letter_beside, .after = cut)

static bool take_letters_and_nothing(const struct series *series) {
    bool taken = take_strings(series);
    if (taken)
        target[0] = 0;
    return taken;
}

static bool cut_all(const struct series *series, uintptr_t result) {
    bool added = target[series->x] == 0;
    target[0] = 0;
    return added && result == (uintptr_t)target;
}

TIMED_CASE(strncat, letters, strncat, strncat(target, source, LONGEST), STRINGS, BY_LENGTH,
           .condition = "letters behind an empty string", .set_up = take_letters_and_nothing,
           .after = cut_all)
#endif

TIMED_CASE(strncat, one_letter, strncat, strncat(target, source, LONGEST), STRINGS, BY_LENGTH,
           .condition = "one letter behind a string", .set_up = take_one_letter, .after = cut)

TIMED_CASE(strcmp, equal_aligned, strcmp, strcmp(source, target), STRINGS, BY_LENGTH,
           .condition = "equal; both begin at a word", .set_up = take_strings, .after = is_zero)

TIMED_CASE(strcmp, equal_unaligned, strcmp, strcmp(source, target), STRINGS, BY_LENGTH,
           .condition = "equal; one begins beside a word", .set_up = take_strings_beside,
           .after = is_zero)

static bool take_different_strings(const struct series *series) {
    if (!take_strings_at(0, LONGEST))
        return false;
    target[0] = 'b';
    return true;
}

TIMED_CASE(strcmp, differ_at_once, strcmp, strcmp(source, target), STRINGS,
           .condition = "the first letters differ", .set_up = take_different_strings,
           .after = is_not_zero)

static bool take_different_strings_beside(const struct series *series) {
    if (!take_strings_at(1, LONGEST))
        return false;
    target[0] = 'b';
    return true;
}

TIMED_CASE(strcmp, differ_at_once_unaligned, strcmp, strcmp(source, target), STRINGS,
           .condition = "the first letters differ; one begins beside a word",
           .set_up = take_different_strings_beside, .after = is_not_zero)

TIMED_CASE(strncmp, differ_at_once, strncmp, strncmp(source, target, LONGEST), STRINGS,
           .condition = "the first letters differ; one begins beside a word",
           .set_up = take_different_strings_beside, .after = is_not_zero)

TIMED_CASE(strncmp, equal_unaligned, strncmp, strncmp(source, target, LONGEST), STRINGS, BY_LENGTH,
           .condition = "equal; one begins beside a word", .set_up = take_strings_beside,
           .after = is_zero)

TIMED_CASE(strncmp, equal, strncmp, strncmp(source, target, LONGEST), STRINGS, BY_LENGTH,
           .condition = "equal; both begin at a word", .set_up = take_strings, .after = is_zero)

#ifndef __AVR__ /* avr-libc has none */
TIMED_CASE(strcoll, equal, strcoll, strcoll(source, target), STRINGS, BY_LENGTH,
           .condition = "equal, in the locale C", .set_up = take_strings, .after = is_zero)
#endif

/* Without regard to case. */

TIMED_CASE(strcasecmp, equal, strcasecmp, strcasecmp(source, target), STRINGS, BY_LENGTH,
           .condition = "equal, small letters", .set_up = take_strings, .after = is_zero)

TIMED_CASE(strcasecmp, differ_at_once, strcasecmp, strcasecmp(source, target), STRINGS,
           .condition = "the first letters differ", .set_up = take_different_strings,
           .after = is_not_zero)

TIMED_CASE(strncasecmp, equal, strncasecmp, strncasecmp(source, target, LONGEST), STRINGS,
           BY_LENGTH, .condition = "equal, small letters", .set_up = take_strings, .after = is_zero)

TIMED_CASE(strncasecmp, differ_at_once, strncasecmp, strncasecmp(source, target, LONGEST), STRINGS,
           .condition = "the first letters differ", .set_up = take_different_strings,
           .after = is_not_zero)
