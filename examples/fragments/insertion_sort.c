/* A fragment that needs something before each execution: what has been sorted is sorted, so a
 * second sort of the same numbers would take another way. INITIALISE brings them into their old
 * order; a technique that executes it more often than the sort separates the two times.
 *
 *     cyclescope time examples/fragments/insertion_sort.c
 */
#include "fragment.h"

enum { COUNT = 12 };

static const int unsorted[COUNT] = {31, 41, 59, 26, 53, 58, 97, 93, 23, 84, 62, 64};
static int numbers[COUNT];

static void insertion_sort(int *number, int count) {
    for (int next = 1; next < count; next++) {
        int one = number[next], place = next;
        for (; place > 0 && number[place - 1] > one; place--)
            number[place] = number[place - 1];
        number[place] = one;
    }
}

INITIALISE {
    for (int i = 0; i < COUNT; i++)
        numbers[i] = unsorted[i];
}

EXECUTE {
    insertion_sort(numbers, COUNT);
    KEEP(numbers[0]);
}
