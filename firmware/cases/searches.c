/* string.h: searches in strings, and tokens. */
#include <string.h>

#include "library_case.h"

enum { LONGEST = 256, SPARE = 8 };

/* x letters a, then one b. */
static char *text;

static uint32_t text_bytes(const struct series *series) {
    return ARENA_BLOCK(LONGEST + SPARE);
}

static bool take_text(const struct series *series) {
    text = arena_take(LONGEST + SPARE);
    if (text == NULL)
        return false;
    memset(text, 'a', series->x);
    strcpy(text + series->x, "b");
    return true;
}

#define TEXT LIBRARY, .bytes = text_bytes, .set_up = take_text
#define BY_LENGTH .parameter = "letters before", .unit = "byte", X_FROM_TO(1, LONGEST)

AFTER(is_end, result == (uintptr_t)text + series->x)
AFTER(is_length, result == series->x)
AFTER(is_zero, result == 0)

TIMED_CASE(strchr, last, strchr, strchr(text, 'b'), TEXT, BY_LENGTH,
           .condition = "it is the last letter", .after = is_end)

static bool take_text_beside(const struct series *series) {
    if (!take_text(series))
        return false;
    text += 1;
    memset(text, 'a', series->x);
    strcpy(text + series->x, "b");
    return true;
}

TIMED_CASE(strchr, unaligned, strchr, strchr(text, 'b'), LIBRARY, .parameter = "letters before",
           .unit = "byte", X_FROM_TO(0, LONGEST), .bytes = text_bytes, .set_up = take_text_beside,
           .condition = "it is the last letter, the string begins beside a word", .after = is_end)

TIMED_CASE(strrchr, last, strrchr, strrchr(text, 'b'), TEXT, BY_LENGTH,
           .condition = "it is the last letter, and the only one", .after = is_end)

TIMED_CASE(strrchr, many, strrchr, strrchr(text, 'a'), TEXT, BY_LENGTH,
           .condition = "every letter but the last is it")

TIMED_CASE(strspn, one_letter, strspn, strspn(text, "a"), TEXT, BY_LENGTH,
           .condition = "a set of one letter", .after = is_length)

/* One letter, which stands last in a set of x. */

static bool take_one_letter(const struct series *series) {
    text = arena_take(LONGEST + SPARE);
    if (text == NULL)
        return false;
    memcpy(text, "b", 2);
    memset(text + 2, '.', series->x);
    strcpy(text + 1 + series->x, "b");
    return true;
}

AFTER(is_one, result == 1)

TIMED_CASE(strspn, last_of_set, strspn, strspn(text, text + 2), LIBRARY,
           .condition = "a string of one letter, the last of the set",
           .parameter = "letters of the set", .unit = "byte", X_FROM_TO(1, 64), .bytes = text_bytes,
           .set_up = take_one_letter, .after = is_one)

TIMED_CASE(strcspn, one_letter, strcspn, strcspn(text, "b"), TEXT, BY_LENGTH,
           .condition = "a set of one letter", .after = is_length)

TIMED_CASE(strpbrk, one_letter, strpbrk, strpbrk(text, "b"), TEXT, BY_LENGTH,
           .condition = "a set of one letter", .after = is_end)

TIMED_CASE(strstr, short_needle, strstr, strstr(text, "b"), TEXT, BY_LENGTH,
           .condition = "one letter, found at the end", .after = is_end)

/* Each place but the last matches 7 of 8 letters. */

static bool take_near_misses(const struct series *series) {
    text = arena_take(LONGEST + SPARE);
    if (text == NULL)
        return false;
    memset(text, 'a', series->x + 7);
    strcpy(text + series->x + 6, "b");
    return true;
}

AFTER(is_last_but_one, result == (uintptr_t)text + series->x - 1)

TIMED_CASE(strstr, near_misses, strstr, strstr(text, "aaaaaaab"), LIBRARY, BY_LENGTH,
           .condition = "8 letters, of which 7 match everywhere", .bytes = text_bytes,
           .set_up = take_near_misses, .after = is_last_but_one)

#ifndef __AVR__ /* its memory holds no more cases */
/* newlib compares needles of two to four letters at once. Longer ones move by a table. */

static bool take_text_with(const char *needle, size_t before) {
    text = arena_take(LONGEST + SPARE);
    if (text == NULL)
        return false;
    memset(text, 'a', before);
    strcpy(text + before, needle);
    return true;
}

#define NEEDLE_CASE(case_name, needle)                                                           \
    static bool take_##case_name(const struct series *series) {                                  \
        return take_text_with(needle, series->x);                                                \
    }                                                                                            \
    TIMED_CASE(strstr, case_name, strstr, strstr(text, needle), LIBRARY,                         \
               .parameter = "letters before", .unit = "byte", X_FROM_TO(0, LONGEST),             \
               .bytes = text_bytes, .condition = "it ends the text", .set_up = take_##case_name, \
               .after = is_end)

NEEDLE_CASE(two_letters, "bc")
NEEDLE_CASE(three_letters, "bcd")
NEEDLE_CASE(four_letters, "bcde")

#define EIGHT "bcdefghi"
enum { LETTERS = 8, STEP = LETTERS + 1, MOST_STEPS = 28, LONGEST_NEEDLE = 64 };

static bool take_too_short(const struct series *series) {
    return take_text_with("", series->x);
}

TIMED_CASE(strstr, too_short, strstr, strstr(text, EIGHT), LIBRARY, .parameter = "letters",
           .unit = "byte", X_FROM_TO(0, LETTERS - 1), .bytes = text_bytes,
           .condition = "8 letters in a shorter text", .set_up = take_too_short, .after = is_zero)

static char *needle;

static bool take_whole(const struct series *series) {
    text = arena_take(LONGEST + SPARE);
    if (text == NULL)
        return false;
    needle = text + LONGEST / 2;
    for (uint32_t at = 0; at < series->x; at++)
        text[at] = needle[at] = (char)('!' + at);
    text[series->x] = needle[series->x] = '\0';
    return true;
}

static bool is_whole(const struct series *series, uintptr_t result) {
    return result == (uintptr_t)text;
}

TIMED_CASE(strstr, whole, strstr, strstr(text, needle), LIBRARY, .parameter = "letters",
           .unit = "byte", X_FROM_TO(LETTERS - 3, LONGEST_NEEDLE), .bytes = text_bytes,
           .condition = "the text is what is looked for", .set_up = take_whole, .after = is_whole)

/* No letter but those of the needle itself is in it, so each step goes one letter beyond it. */

static bool take_steps(const struct series *series) {
    return take_text_with(EIGHT, STEP * series->x);
}

static bool is_behind_steps(const struct series *series, uintptr_t result) {
    return result == (uintptr_t)text + STEP * series->x;
}

TIMED_CASE(strstr, steps, strstr, strstr(text, EIGHT), LIBRARY, .parameter = "steps",
           .unit = "step", X_FROM_TO(0, MOST_STEPS), .bytes = text_bytes,
           .condition = "8 letters behind steps of 9 letters, which differ at once",
           .set_up = take_steps, .after = is_behind_steps)
#endif

/* Tokens: the delimiter that ended the last one is put back. */

static bool take_tokens(const struct series *series) {
    strtok(NULL, "b"); /* what the first call ever does besides */
    return take_text(series);
}

static bool mend(const struct series *series, uintptr_t result) {
    text[series->x] = 'b';
    return result == (uintptr_t)text;
}

TIMED_CASE(strtok, first, strtok, strtok(text, "b"), LIBRARY, BY_LENGTH,
           .condition = "the first token, up to the delimiter", .bytes = text_bytes,
           .set_up = take_tokens, .after = mend)

#ifndef __AVR__ /* its memory holds no more cases */
/* A set of x delimiters, of which the last one ends a token of 16 letters; x delimiters before a
 * token of one letter. */

enum { MOST_DELIMITERS = 32, TOKEN = 16 };

static char delimiters[MOST_DELIMITERS + 1];

static bool take_set(const struct series *series) {
    memset(delimiters, '.', series->x);
    strcpy(delimiters + series->x - 1, "b");
    return take_tokens(&(struct series){.x = TOKEN});
}

static bool mend_token(const struct series *series, uintptr_t result) {
    text[TOKEN] = 'b';
    return result == (uintptr_t)text;
}

TIMED_CASE(strtok, set, strtok, strtok(text, delimiters), LIBRARY, .parameter = "delimiters",
           .unit = "letter", X_FROM_TO(1, MOST_DELIMITERS), .bytes = text_bytes,
           .condition = "a token of 16 letters, ended by the last delimiter of a set",
           .set_up = take_set, .after = mend_token)

static bool take_skipped(const struct series *series) {
    if (!take_tokens(series))
        return false;
    memset(text, 'b', series->x);
    strcpy(text + series->x, "ab");
    return true;
}

static bool mend_skipped(const struct series *series, uintptr_t result) {
    text[series->x + 1] = 'b';
    return result == (uintptr_t)text + series->x;
}

TIMED_CASE(strtok, skips, strtok, strtok(text, "b"), LIBRARY, .parameter = "delimiters before",
           .unit = "byte", X_FROM_TO(1, MOST_DELIMITERS), .bytes = text_bytes,
           .condition = "a token of one letter behind delimiters", .set_up = take_skipped,
           .after = mend_skipped)
#endif

static bool take_used_up(const struct series *series) {
    text = arena_take(LONGEST + SPARE);
    if (text == NULL)
        return false;
    strcpy(text, "a");
    strtok(text, "b");
    strtok(NULL, "b");
    return true;
}

TIMED_CASE(strtok, none_left, strtok, strtok(NULL, "b"), LIBRARY, .condition = "no token is left",
           .bytes = text_bytes, .set_up = take_used_up, .after = is_zero)

/* The same by a pointer of the caller's. */

static char *behind;

TIMED_CASE(strtok_r, first, strtok_r, strtok_r(text, "b", &behind), LIBRARY, BY_LENGTH,
           .condition = "the first token, up to the delimiter", .bytes = text_bytes,
           .set_up = take_tokens, .after = mend)

static bool take_end(const struct series *series) {
    if (!take_text(series))
        return false;
    behind = NULL;
    return true;
}

TIMED_CASE(strtok_r, none_left, strtok_r, strtok_r(NULL, "b", &behind), LIBRARY,
           .condition = "no token is left", .bytes = text_bytes, .set_up = take_end,
           .after = is_zero)
