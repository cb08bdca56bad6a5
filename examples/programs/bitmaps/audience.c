/* Keeps audiences of programmes as compressed sets. It shows unions, cuts and differences, and how
 * alike two of them are, and writes all.   audience PROGRAMMES VIEWERS SEED OUTPUT */
#include <stdio.h>
#include <stdlib.h>

#include "roaring.h"

static uint32_t state;

/* Asked for vectors alone, which there are not: any block of malloc() will do. */
int posix_memalign(void **block, size_t alignment, size_t size) {
    (void)alignment;
    *block = malloc(size);
    return *block == NULL;
}

static uint32_t draw(uint32_t below) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (uint32_t)(((uint64_t)state * below) >> 32);
}

/* Viewers come by the street: a few runs; or by chance. */
static roaring_bitmap_t *audience(int number, uint32_t viewers) {
    roaring_bitmap_t *set = roaring_bitmap_create();
    for (int run = 0; run < number % 4; run++) {
        uint32_t first = draw(viewers), length = 1 + draw(viewers / 16);
        roaring_bitmap_add_range(set, first, first + length < viewers ? first + length : viewers);
    }
    for (uint32_t i = 0; i < viewers / 160 * (1 + (uint32_t)number % 3); i++)
        roaring_bitmap_add(set, draw(viewers));
    for (int i = 0; i < 20; i++)
        roaring_bitmap_remove(set, draw(viewers));
    return set;
}

static bool sum(uint32_t value, void *data) {
    uint32_t *total = data;
    *total = *total * 31 + value;
    return true;
}

static void show(const char *name, const roaring_bitmap_t *set) {
    uint32_t total = 0;
    roaring_iterate(set, sum, &total);
    printf("%s: %u from %u to %u, %08x\n", name, (unsigned)roaring_bitmap_get_cardinality(set),
           (unsigned)roaring_bitmap_minimum(set), (unsigned)roaring_bitmap_maximum(set),
           (unsigned)total);
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    int count = atoi(argv[1]);
    uint32_t viewers = (uint32_t)strtoul(argv[2], NULL, 10), at;
    state = (uint32_t)strtoul(argv[3], NULL, 10);
    roaring_bitmap_t **sets = calloc((size_t)count, sizeof *sets);
    FILE *output = fopen(argv[4], "wb");
    if (!sets || !output || count < 2)
        return 1;
    for (int i = 0; i < count; i++) {
        sets[i] = audience(i, viewers);
        roaring_bitmap_run_optimize(sets[i]);
        show("programme", sets[i]);
    }
    roaring_bitmap_t *all = roaring_bitmap_copy(sets[0]), *both, *rest;
    for (int i = 1; i < count; i++) {
        roaring_bitmap_or_inplace(all, sets[i]);
        both = roaring_bitmap_and(sets[i - 1], sets[i]);
        rest = roaring_bitmap_xor(sets[i - 1], sets[i]);
        show("both", both);
        show("one", rest);
        printf("alike %d in ten thousand\n",
               (int)(roaring_bitmap_jaccard_index(sets[i - 1], sets[i]) * 10000 + 0.5));
        roaring_bitmap_free(both);
        roaring_bitmap_free(rest);
    }
    show("all", all);
    rest = roaring_bitmap_andnot(all, sets[count - 1]);
    show("not the last", rest);
    if (roaring_bitmap_select(all, viewers / 8, &at))
        printf("viewer %u is %u, of whom %u are before\n", (unsigned)(viewers / 8), (unsigned)at,
               (unsigned)roaring_bitmap_rank(all, at));
    for (int i = 0; i < count; i++) {
        size_t size = roaring_bitmap_portable_size_in_bytes(sets[i]);
        char *bytes = malloc(size);
        if (!bytes || roaring_bitmap_portable_serialize(sets[i], bytes) != size)
            return 1;
        fwrite(bytes, 1, size, output);
        roaring_bitmap_t *again = roaring_bitmap_portable_deserialize_safe(bytes, size);
        if (!again || !roaring_bitmap_equals(again, sets[i]))
            puts("not as it was");
        roaring_bitmap_free(again);
        roaring_bitmap_free(sets[i]);
        free(bytes);
    }
    roaring_bitmap_free(all);
    roaring_bitmap_free(rest);
    free(sets);
    return fclose(output) != 0;
}
