/* qsort() as boards have it: newlib's compares other elements, and other numbers of them, than the
 * host's. The program's comparisons are its own code, so their number decides its time.
 *
 * Bentley and McIlroy, "Engineering a sort function", Software: Practice and Experience 23(11),
 * 1993: three parts by a median of up to nine elements, insertion below seven. A program that has a
 * qsort() of its own keeps it. */
#include <stddef.h>

#define INSERTED_BELOW 7
#define NINE_ABOVE 40

typedef int comparison(const void *, const void *);

static void exchange(char *one, char *other, size_t bytes) {
    for (; bytes > 0; bytes--, one++, other++) {
        char kept = *one;
        *one = *other;
        *other = kept;
    }
}

static char *median(char *a, char *b, char *c, comparison *compare) {
    if (compare(a, b) < 0)
        return compare(b, c) < 0 ? b : compare(a, c) < 0 ? c : a;
    return compare(b, c) > 0 ? b : compare(a, c) < 0 ? a : c;
}

static void insert_all(char *first, char *behind, size_t size, comparison *compare) {
    for (char *next = first + size; next < behind; next += size)
        for (char *at = next; at > first && compare(at - size, at) > 0; at -= size)
            exchange(at, at - size, size);
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

__attribute__((weak)) void qsort(void *base, size_t n, size_t size, comparison *compare) {
    char *first = base;
    while (n >= INSERTED_BELOW) {
        char *behind = first + n * size;
        exchange(first, pivot(first, n, size, compare), size);
        /* Equal ones gather at both ends, lesser ones left, greater ones right. */
        char *equal = first + size, *low = equal, *high = behind - size, *last = high;
        int result, moved = 0;
        for (;;) {
            for (; low <= high && (result = compare(low, first)) <= 0; low += size)
                if (result == 0) {
                    moved = 1;
                    exchange(equal, low, size);
                    equal += size;
                }
            for (; low <= high && (result = compare(high, first)) >= 0; high -= size)
                if (result == 0) {
                    moved = 1;
                    exchange(high, last, size);
                    last -= size;
                }
            if (low > high)
                break;
            exchange(low, high, size);
            moved = 1;
            low += size;
            high -= size;
        }
        if (!moved)
            break;
        size_t lesser = (size_t)(low - equal), greater = (size_t)(last - high);
        size_t some = least((size_t)(equal - first), lesser);
        exchange(first, low - some, some);
        some = least(greater, (size_t)(behind - last) - size);
        exchange(low, behind - some, some);
        if (lesser > size)
            qsort(first, lesser / size, size, compare);
        if (greater <= size)
            return;
        first = behind - greater;
        n = greater / size;
    }
    insert_all(first, first + n * size, size, compare);
}
