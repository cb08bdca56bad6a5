/* stdlib.h: sorting and searching 32-bit integers. The comparison is the caller's, and part of the
 * time: docs/reference/c-library.md names what its calls come to. */
#include <stdlib.h>
#include <string.h>

#include "library_case.h"

enum { MOST = 64 };

/* The numbers that are sorted, and the same in their old order. */
static int32_t *numbers, *prepared;

static uint32_t numbers_bytes(const struct series *series) {
    return 2 * ARENA_BLOCK(MOST * sizeof *numbers);
}

__attribute__((noinline)) static int compare(const void *a, const void *b) {
    int32_t first = *(const int32_t *)a, second = *(const int32_t *)b;
    return (first > second) - (first < second);
}

/* Multiples of 2, in order or not. */

static int32_t ascending(uint32_t i, uint32_t count) {
    return (int32_t)(2 * i);
}

static int32_t descending(uint32_t i, uint32_t count) {
    return (int32_t)(2 * (count - 1 - i));
}

static int32_t equal(uint32_t i, uint32_t count) {
    return 2;
}

/* All numbers once, for a power of two. They come from a linear congruence of full period (Knuth,
 * volume 2, section 3.2.1.2), its upper bits exchanged with the lower ones. */
static int32_t shuffled(uint32_t i, uint32_t count) {
    uint32_t value = 0;
    for (uint32_t step = 0; step <= i; step++)
        value = (5 * value + 3) % count;
    uint32_t turned = 0;
    for (uint32_t bit = 1; bit < count; bit *= 2)
        turned = 2 * turned + (value / bit) % 2;
    return (int32_t)(2 * turned);
}

static void fill(const struct series *series) {
    memcpy(numbers, prepared, series->x * sizeof *numbers);
}

static bool prepare(const struct series *series, int32_t (*number)(uint32_t, uint32_t)) {
    numbers = arena_take(MOST * sizeof *numbers);
    prepared = arena_take(MOST * sizeof *numbers);
    for (uint32_t i = 0; prepared != NULL && i < series->x; i++)
        prepared[i] = number(i, series->x);
    if (prepared != NULL)
        fill(series);
    return prepared != NULL;
}

static bool in_order(const struct series *series) {
    for (uint32_t i = 1; i < series->x; i++)
        if (numbers[i - 1] > numbers[i])
            return false;
    return true;
}

#define BY_COUNT .parameter = "elements", .unit = "element", X_FROM_TO(2, MOST)

static bool fill_again(const struct series *series, uintptr_t nothing) {
    bool sorted = in_order(series);
    fill(series);
    return sorted;
}

#define SORT(order, text)                                                                  \
    static bool prepare_##order(const struct series *series) {                             \
        return prepare(series, order);                                                     \
    }                                                                                      \
    TIMED_ACTION(qsort, order, qsort, qsort(numbers, series->x, sizeof *numbers, compare), \
                 LIBRARY, BY_COUNT, .condition = text, .bytes = numbers_bytes,             \
                 .set_up = prepare_##order, .after = fill_again)

SORT(ascending, "integers in order")
SORT(descending, "integers in reverse order")
SORT(shuffled, "integers in no order")
SORT(equal, "integers that are all equal")

#ifndef __AVR__ /* its memory holds no more cases */
/* Elements of several words, and of bytes: the library exchanges them otherwise. */

struct record {
    int32_t number, others[2];
};

static struct record *records;
static uint8_t *letters;

static void fill_others(const struct series *series) {
    for (uint32_t i = 0; i < series->x; i++) {
        records[i].number = prepared[i];
        letters[i] = (uint8_t)prepared[i];
    }
}

static bool prepare_others(const struct series *series) {
    if (!prepare(series, shuffled))
        return false;
    records = arena_take(MOST * sizeof *records);
    letters = arena_take(MOST);
    if (letters != NULL)
        fill_others(series);
    return letters != NULL;
}

static uint32_t others_bytes(const struct series *series) {
    return numbers_bytes(series) + ARENA_BLOCK(MOST * sizeof *records) + ARENA_BLOCK(MOST);
}

static bool fill_others_again(const struct series *series, uintptr_t nothing) {
    bool sorted = records[0].number <= records[series->x - 1].number;
    fill_others(series);
    return sorted;
}

static bool fill_letters_again(const struct series *series, uintptr_t nothing) {
    bool sorted = letters[0] <= letters[series->x - 1];
    fill_others(series);
    return sorted;
}

__attribute__((noinline)) static int compare_letters(const void *a, const void *b) {
    int first = *(const uint8_t *)a, second = *(const uint8_t *)b;
    return (first > second) - (first < second);
}

TIMED_ACTION(qsort, records, qsort, qsort(records, series->x, sizeof *records, compare), LIBRARY,
             BY_COUNT, .condition = "elements of three words in no order", .bytes = others_bytes,
             .set_up = prepare_others, .after = fill_others_again)
TIMED_ACTION(qsort, bytes, qsort, qsort(letters, series->x, 1, compare_letters), LIBRARY, BY_COUNT,
             .condition = "bytes in no order", .bytes = others_bytes, .set_up = prepare_others,
             .after = fill_letters_again)
#endif

/* The comparison alone: what the library does not spend. */

static bool prepare_two(const struct series *series) {
    return prepare(&(struct series){.x = 2}, ascending);
}

AFTER(is_less, (int)result == -1)

TIMED_CASE(compare, integers, compare, compare(numbers, numbers + 1), LIBRARY,
           .condition = "the caller's own comparison, called as qsort() and bsearch() do",
           .bytes = numbers_bytes, .set_up = prepare_two, .after = is_less)

/* Search among numbers in order. */

static int32_t sought;

static bool seek_last(const struct series *series) {
    sought = (int32_t)(2 * (series->x - 1));
    return prepare_ascending(series);
}

static bool seek_first(const struct series *series) {
    sought = 0;
    return prepare_ascending(series);
}

static bool seek_none(const struct series *series) {
    sought = -1;
    return prepare_ascending(series);
}

AFTER(is_last, result == (uintptr_t)(numbers + series->x - 1))
AFTER(is_first, result == (uintptr_t)numbers)
AFTER(is_null, result == 0)

#define SEARCH(condition_, text, set_up_, after_)                                                 \
    TIMED_CASE(bsearch, condition_, bsearch,                                                      \
               bsearch(&sought, numbers, series->x, sizeof *numbers, compare), LIBRARY, BY_COUNT, \
               .condition = text, .bytes = numbers_bytes, .set_up = set_up_, .after = after_)

SEARCH(last, "the last of integers in order", seek_last, is_last)
SEARCH(first, "the first of integers in order", seek_first, is_first)
SEARCH(none, "smaller than all", seek_none, is_null)
