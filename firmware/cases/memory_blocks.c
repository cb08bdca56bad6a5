/* string.h: blocks of memory. */
#include <string.h>

#include "library_case.h"

/* Both blocks begin at a multiple of 8; some cases start one byte later. */
enum { LONGEST = 1024, SPARE = 8 };

static char *source, *target;

static uint32_t blocks_bytes(const struct series *series) {
    return 2 * ARENA_BLOCK(LONGEST + SPARE);
}

/* Equal blocks, without a zero. */
static bool take_blocks(const struct series *series) {
    source = arena_take(LONGEST + SPARE);
    target = arena_take(LONGEST + SPARE);
    if (target == NULL)
        return false;
    for (size_t i = 0; i < LONGEST + SPARE; i++)
        source[i] = target[i] = (char)(1 + i % 100);
    return true;
}

#define BLOCKS LIBRARY, .bytes = blocks_bytes
#define BY_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(16, LONGEST)
#define BY_SHORT_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(1, 15)

AFTER(is_target, result == (uintptr_t)target)
AFTER(is_target_and_1, result == (uintptr_t)target + 1)

TIMED_CASE(memcpy, aligned, memcpy, memcpy(target, source, series->x), BLOCKS, BY_SIZE,
           .condition = "both begin at a word", .set_up = take_blocks, .after = is_target)

TIMED_CASE(memcpy, unaligned, memcpy, memcpy(target + 1, source, series->x), BLOCKS, BY_SIZE,
           .condition = "the target begins beside a word", .set_up = take_blocks,
           .after = is_target_and_1)

TIMED_CASE(memcpy, short, memcpy, memcpy(target, source, series->x), BLOCKS, BY_SHORT_SIZE,
           .condition = "fewer than 16 bytes", .set_up = take_blocks, .after = is_target)

/* Within one block, by a word and by a byte. */

AFTER(is_source, result == (uintptr_t)source)
AFTER(is_source_and_4, result == (uintptr_t)source + 4)

TIMED_CASE(memmove, down_aligned, memmove, memmove(source, source + 4, series->x), BLOCKS, BY_SIZE,
           .condition = "overlapping, 4 bytes down, from word to word", .set_up = take_blocks,
           .after = is_source)

TIMED_CASE(memmove, down_unaligned, memmove, memmove(source, source + 1, series->x), BLOCKS,
           BY_SIZE, .condition = "overlapping, one byte down", .set_up = take_blocks,
           .after = is_source)

TIMED_CASE(memmove, up_aligned, memmove, memmove(source + 4, source, series->x), BLOCKS, BY_SIZE,
           .condition = "overlapping, 4 bytes up, from word to word", .set_up = take_blocks,
           .after = is_source_and_4)

TIMED_CASE(memmove, short_down, memmove, memmove(source, source + 4, series->x), BLOCKS,
           BY_SHORT_SIZE, .condition = "fewer than 16 bytes, 4 bytes down", .set_up = take_blocks,
           .after = is_source)

TIMED_CASE(memmove, short_up, memmove, memmove(source + 4, source, series->x), BLOCKS,
           BY_SHORT_SIZE, .condition = "fewer than 16 bytes, 4 bytes up", .set_up = take_blocks,
           .after = is_source_and_4)

TIMED_CASE(memset, aligned, memset, memset(target, 7, series->x), BLOCKS, BY_SIZE,
           .condition = "begins at a word", .set_up = take_blocks, .after = is_target)

TIMED_CASE(memset, unaligned, memset, memset(target + 1, 7, series->x), BLOCKS, BY_SIZE,
           .condition = "begins beside a word", .set_up = take_blocks, .after = is_target_and_1)

TIMED_CASE(memset, short, memset, memset(target, 7, series->x), BLOCKS, BY_SHORT_SIZE,
           .condition = "fewer than 16 bytes", .set_up = take_blocks, .after = is_target)

/* Comparing and searching. */

AFTER(is_zero, result == 0)
AFTER(is_not_zero, result != 0)

TIMED_CASE(memcmp, short, memcmp, memcmp(target, source, series->x), BLOCKS, BY_SHORT_SIZE,
           .condition = "equal, fewer than 16 bytes; both begin at a word", .set_up = take_blocks,
           .after = is_zero)

TIMED_CASE(memcmp, equal_aligned, memcmp, memcmp(target, source, series->x), BLOCKS, BY_SIZE,
           .condition = "equal; both begin at a word", .set_up = take_blocks, .after = is_zero)

static bool take_shifted_blocks(const struct series *series) {
    if (!take_blocks(series))
        return false;
    memmove(target + 1, source, LONGEST);
    return true;
}

TIMED_CASE(memcmp, short_beside, memcmp, memcmp(target + 1, source, series->x), BLOCKS,
           BY_SHORT_SIZE, .condition = "equal, fewer than 16 bytes; one begins beside a word",
           .set_up = take_shifted_blocks, .after = is_zero)

TIMED_CASE(memcmp, equal_unaligned, memcmp, memcmp(target + 1, source, series->x), BLOCKS, BY_SIZE,
           .condition = "equal; one begins beside a word", .set_up = take_shifted_blocks,
           .after = is_zero)

static bool take_different_blocks(const struct series *series) {
    if (!take_blocks(series))
        return false;
    target[0] = 0;
    return true;
}

TIMED_CASE(memcmp, differ_at_once, memcmp, memcmp(target, source, LONGEST), BLOCKS,
           .condition = "the first bytes differ", .set_up = take_different_blocks,
           .after = is_not_zero)

/* The byte sought is the last one. */

static bool mark_last(const struct series *series) {
    if (!take_blocks(series))
        return false;
    source[series->x - 1] = 0;
    return true;
}

static bool mark_last_shifted(const struct series *series) {
    if (!take_blocks(series))
        return false;
    source[series->x] = 0;
    return true;
}

AFTER(is_last, result == (uintptr_t)source + series->x - 1)
AFTER(is_last_shifted, result == (uintptr_t)source + series->x)

TIMED_CASE(memchr, last_aligned, memchr, memchr(source, 0, series->x), BLOCKS, BY_SIZE,
           .condition = "it is the last byte; begins at a word", .set_up = mark_last,
           .after = is_last)

#ifndef __AVR__ /* its memory holds no more cases */
TIMED_CASE(memchr, short, memchr, memchr(source, 0, series->x), BLOCKS, BY_SHORT_SIZE,
           .condition = "it is the last byte of fewer than 16; begins at a word",
           .set_up = mark_last, .after = is_last)

TIMED_CASE(memchr, short_beside, memchr, memchr(source + 1, 0, series->x), BLOCKS, BY_SHORT_SIZE,
           .condition = "it is the last byte of fewer than 16; begins beside a word",
           .set_up = mark_last_shifted, .after = is_last_shifted)
#endif

TIMED_CASE(memchr, last_unaligned, memchr, memchr(source + 1, 0, series->x), BLOCKS, BY_SIZE,
           .condition = "it is the last byte; begins beside a word", .set_up = mark_last_shifted,
           .after = is_last_shifted)
