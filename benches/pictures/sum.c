/* A fragment whose copies are not equally long in flash: a checksum of eight words. */
#include "fragment.h"

static volatile uint32_t words[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static volatile uint32_t total;

EXECUTE {
    uint32_t sum = 0;
    for (unsigned int index = 0; index < 8; index++)
        sum = (sum << 1 | sum >> 31) ^ words[index];
    total = sum;
}
