/* qsort() as boards have it: newlib's compares other elements, and other numbers of them, than the
 * host's. The program's comparisons are its own code, so their number decides its time.
 *
 * Bentley and McIlroy, "Engineering a sort function", Software: Practice and Experience 23(11),
 * 1993: three parts by a median of up to nine elements, insertion below seven. A program that has a
 * qsort() of its own keeps it. */
#include <stddef.h>
#include <stdint.h>

#include "sort.h"

#define INSERTED_BELOW 7
#define NINE_ABOVE 40

typedef int comparison(const void *, const void *);

/* Parts of the last qsort() or bsearch(), and how many are under way. */
static long long done[SORT_PARTS];
static unsigned depth;

long long cyclescope_sorted(int part) {
    return done[part];
}

static void begin(void) {
    if (depth++ == 0)
        for (int part = 0; part < SORT_PARTS; part++)
            done[part] = 0;
}

static int compared(comparison *compare, const void *one, const void *other) {
    done[SORT_COMPARED]++;
    return compare(one, other);
}

/* newlib exchanges elements of one word in place, others by words or by bytes. */
static void exchanged(const char *base, size_t size, size_t bytes) {
    int by_words = !((uintptr_t)base % WORD_BYTES || size % WORD_BYTES);
    if (by_words && size == WORD_BYTES && bytes == size) {
        done[SORT_EXCHANGED]++;
        return;
    }
    done[SORT_MOVED]++;
    if (by_words)
        done[SORT_WORDS] += (long long)(bytes / WORD_BYTES);
    else
        done[SORT_BYTES] += (long long)bytes;
}

static void exchange(char *one, char *other, size_t bytes, size_t size) {
    exchanged(one, size, bytes);
    for (; bytes > 0; bytes--, one++, other++) {
        char kept = *one;
        *one = *other;
        *other = kept;
    }
}

static char *median(char *a, char *b, char *c, comparison *compare) {
    if (compared(compare, a, b) < 0)
        return compared(compare, b, c) < 0 ? b : compared(compare, a, c) < 0 ? c : a;
    return compared(compare, b, c) > 0 ? b : compared(compare, a, c) < 0 ? a : c;
}

static void insert_all(char *first, char *behind, size_t size, comparison *compare) {
    for (char *next = first + size; next < behind; next += size)
        for (char *at = next; at > first && compared(compare, at - size, at) > 0; at -= size)
            exchange(at, at - size, size, size);
}

static char *pivot(char *first, size_t n, size_t size, comparison *compare) {
    char *middle = first + n / 2 * size, *low = first, *high = first + (n - 1) * size;
    if (n == INSERTED_BELOW)
        return middle;
    if (n > NINE_ABOVE) {
        size_t step = n / 8 * size;
        low = median(low, low + step, low + 2 * step, compare);
        middle = median(middle - step, middle, middle + step, compare);
        high = median(high - 2 * step, high - step, high, compare);
    }
    return median(low, middle, high, compare);
}

static size_t least(size_t one, size_t other) {
    return one < other ? one : other;
}

static void sort(char *first, size_t n, size_t size, comparison *compare) {
    done[SORT_CALLS]++;
    while (n >= INSERTED_BELOW) {
        char *behind = first + n * size;
        exchange(first, pivot(first, n, size, compare), size, size);
        /* Equal ones gather at both ends, lesser ones left, greater ones right. */
        char *equal = first + size, *low = equal, *high = behind - size, *last = high;
        int result, moved = 0;
        for (;;) {
            for (; low <= high && (result = compared(compare, low, first)) <= 0; low += size)
                if (result == 0) {
                    moved = 1;
                    exchange(equal, low, size, size);
                    equal += size;
                }
            for (; low <= high && (result = compared(compare, high, first)) >= 0; high -= size)
                if (result == 0) {
                    moved = 1;
                    exchange(high, last, size, size);
                    last -= size;
                }
            if (low > high)
                break;
            exchange(low, high, size, size);
            moved = 1;
            low += size;
            high -= size;
        }
        if (!moved)
            break;
        size_t lesser = (size_t)(low - equal), greater = (size_t)(last - high);
        size_t some = least((size_t)(equal - first), lesser);
        if (some)
            exchange(first, low - some, some, size);
        some = least(greater, (size_t)(behind - last) - size);
        if (some)
            exchange(low, behind - some, some, size);
        if (lesser > size)
            sort(first, lesser / size, size, compare);
        if (greater <= size)
            return;
        first = behind - greater;
        n = greater / size;
    }
    insert_all(first, first + n * size, size, compare);
}

__attribute__((weak)) void qsort(void *base, size_t n, size_t size, comparison *compare) {
    begin();
    sort(base, n, size, compare);
    depth--;
}

__attribute__((weak)) void *bsearch(const void *key, const void *base, size_t n, size_t size,
                                    comparison *compare) {
    const char *found = NULL;
    size_t lower = 0, upper = n;
    begin();
    while (lower < upper && !found) {
        size_t middle = (lower + upper) / 2;
        const char *at = (const char *)base + middle * size;
        int result = compared(compare, key, at);
        if (result < 0)
            upper = middle;
        else if (result > 0)
            lower = middle + 1;
        else
            found = at;
    }
    depth--;
    return (void *)found;
}
