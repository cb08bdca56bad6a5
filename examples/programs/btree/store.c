/* A store of pairs in a file of pages, as a B-tree: words of a text and how often they came.
 * store TEXT FILE LISTING */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ORDER 8 /* Pairs a page, at most. */
#define KEY 14
#define HELD 16 /* Pages in memory. */

typedef struct {
    char key[KEY];
    uint16_t times;
} pair_t;

typedef struct {
    uint16_t count, leaf;
    pair_t pair[ORDER];
    uint16_t child[ORDER + 1];
    uint8_t filling[256 - 4 - ORDER * sizeof(pair_t) - 2 * (ORDER + 1)];
} page_t;

static FILE *file;
static uint16_t pages, root;
static unsigned long reads, writes;

static void fail(const char *what) {
    puts(what);
    exit(1);
}

/* The pages that were used last stay in memory; a changed one is written when another needs its
 * place. */
static struct {
    page_t page;
    unsigned used;
    uint16_t number, held, changed;
} cache[HELD];
static unsigned ticks;

static void write_back(int slot) {
    writes++;
    cache[slot].changed = 0;
    if (fseek(file, cache[slot].number * (long)sizeof(page_t), SEEK_SET) ||
        fwrite(&cache[slot].page, sizeof(page_t), 1, file) != 1)
        fail("cannot write");
}

static int slot_of(uint16_t number, int *found) {
    int oldest = 0;
    for (int slot = 0; slot < HELD; slot++) {
        if (cache[slot].held && cache[slot].number == number) {
            *found = 1;
            return slot;
        }
        if (cache[slot].used < cache[oldest].used)
            oldest = slot;
    }
    *found = 0;
    if (cache[oldest].changed)
        write_back(oldest);
    cache[oldest].held = 1;
    cache[oldest].number = number;
    return oldest;
}

static void load(uint16_t number, page_t *page) {
    int found, slot = slot_of(number, &found);
    if (!found) {
        reads++;
        if (fseek(file, number * (long)sizeof *page, SEEK_SET) ||
            fread(&cache[slot].page, sizeof *page, 1, file) != 1)
            fail("cannot read");
    }
    cache[slot].used = ++ticks;
    *page = cache[slot].page;
}

static void save(uint16_t number, const page_t *page) {
    int found, slot = slot_of(number, &found);
    cache[slot].page = *page;
    cache[slot].changed = 1;
    cache[slot].used = ++ticks;
}

static int place(const page_t *page, const char *key, int *same) {
    int low = 0, high = page->count;
    *same = 0;
    while (low < high) {
        int middle = (low + high) / 2, order = strncmp(key, page->pair[middle].key, KEY);
        if (order == 0) {
            *same = 1;
            return middle;
        }
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Splits the full child `at` of `parent`; both and the new page are written. */
static void split(uint16_t number, page_t *parent, int at) {
    page_t left, right;
    uint16_t old = parent->child[at], new = pages++;
    load(old, &left);
    memset(&right, 0, sizeof right);
    right.leaf = left.leaf;
    right.count = ORDER - ORDER / 2 - 1;
    memcpy(right.pair, left.pair + ORDER / 2 + 1, right.count * sizeof(pair_t));
    memcpy(right.child, left.child + ORDER / 2 + 1, (right.count + 1u) * sizeof(uint16_t));
    left.count = ORDER / 2;
    memmove(parent->pair + at + 1, parent->pair + at,
            (size_t)(parent->count - at) * sizeof(pair_t));
    memmove(parent->child + at + 2, parent->child + at + 1,
            (size_t)(parent->count - at) * sizeof(uint16_t));
    parent->pair[at] = left.pair[ORDER / 2];
    parent->child[at + 1] = new;
    parent->count++;
    save(new, &right);
    save(old, &left);
    save(number, parent);
}

static void add(const char *key) {
    page_t page;
    int same;
    load(root, &page);
    if (page.count == ORDER) {
        uint16_t above = pages++;
        memset(&page, 0, sizeof page);
        page.child[0] = root;
        root = above;
        split(root, &page, 0);
    }
    for (uint16_t number = root;;) {
        int at = place(&page, key, &same);
        if (same) {
            page.pair[at].times++;
            save(number, &page);
            return;
        }
        if (page.leaf) {
            memmove(page.pair + at + 1, page.pair + at, (size_t)(page.count - at) * sizeof(pair_t));
            memcpy(page.pair[at].key, key, KEY);
            page.pair[at].times = 1;
            page.count++;
            save(number, &page);
            return;
        }
        page_t below;
        load(page.child[at], &below);
        if (below.count == ORDER) {
            split(number, &page, at);
            continue;
        }
        number = page.child[at];
        page = below;
    }
}

static void list(uint16_t number, FILE *to, int depth, int *deepest) {
    page_t page;
    load(number, &page);
    if (depth > *deepest)
        *deepest = depth;
    for (int i = 0; i <= page.count; i++) {
        if (!page.leaf)
            list(page.child[i], to, depth + 1, deepest);
        if (i < page.count)
            fprintf(to, "%.14s %u\n", page.pair[i].key, page.pair[i].times);
    }
}

int main(int argc, char **argv) {
    char key[KEY];
    page_t empty = {.leaf = 1};
    int c, length = 0, deepest = 0;
    unsigned words = 0;
    if (argc != 4)
        return 2;
    FILE *text = fopen(argv[1], "r"), *listing = fopen(argv[3], "w");
    if (!text || !listing || !(file = fopen(argv[2], "w+b")))
        return 1;
    pages = 1;
    save(root, &empty);
    memset(key, 0, sizeof key);
    do {
        c = fgetc(text);
        if (isalpha(c)) {
            if (length < KEY - 1)
                key[length++] = (char)tolower(c);
        } else if (length) {
            add(key);
            words++;
            memset(key, 0, sizeof key);
            length = 0;
        }
    } while (c != EOF);
    list(root, listing, 1, &deepest);
    printf("%u words, %u pages, %d deep, %lu reads, %lu writes\n", words, pages, deepest, reads,
           writes);
    for (int slot = 0; slot < HELD; slot++)
        if (cache[slot].changed)
            write_back(slot);
    fclose(text);
    fclose(file);
    return fclose(listing) != 0;
}
