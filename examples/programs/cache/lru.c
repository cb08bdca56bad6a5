/* A cache of records by name: the one that was not used for longest goes first.
 * lru CAPACITY INPUT OUTPUT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 61

typedef struct Entry Entry;
struct Entry {
    char *key, *value;
    size_t value_size;
    Entry *chain;         /* of its bucket */
    Entry *newer, *older; /* by use */
    unsigned hits;
};

typedef struct {
    Entry *bucket[BUCKETS];
    Entry *newest, *oldest;
    size_t count, capacity, bytes, most_bytes;
    unsigned long hits, misses, evictions, rewrites;
} Cache;

static void *must(void *p) {
    if (!p)
        exit(3);
    return p;
}

static unsigned bucket_of(const char *key) {
    unsigned h = 5381;
    while (*key)
        h = h * 33 ^ (unsigned char)*key++;
    return h % BUCKETS;
}

static void unlink_use(Cache *c, Entry *e) {
    *(e->newer ? &e->newer->older : &c->newest) = e->older;
    *(e->older ? &e->older->newer : &c->oldest) = e->newer;
}

static void link_newest(Cache *c, Entry *e) {
    e->newer = NULL;
    e->older = c->newest;
    *(c->newest ? &c->newest->newer : &c->oldest) = e;
    c->newest = e;
}

static Entry **slot_of(Cache *c, const char *key) {
    Entry **slot = &c->bucket[bucket_of(key)];
    while (*slot && strcmp((*slot)->key, key))
        slot = &(*slot)->chain;
    return slot;
}

static void drop(Cache *c, Entry **slot) {
    Entry *e = *slot;
    *slot = e->chain;
    unlink_use(c, e);
    c->bytes -= e->value_size + strlen(e->key) + 1;
    c->count--;
    free(e->key);
    free(e->value);
    free(e);
}

static const char *get(Cache *c, const char *key) {
    Entry *e = *slot_of(c, key);
    if (!e) {
        c->misses++;
        return NULL;
    }
    c->hits++;
    e->hits++;
    if (e != c->newest) {
        unlink_use(c, e);
        link_newest(c, e);
    }
    return e->value;
}

static void put(Cache *c, const char *key, const char *value) {
    Entry **slot = slot_of(c, key), *e = *slot;
    size_t size = strlen(value) + 1;
    if (e) {
        c->bytes += size - e->value_size;
        e->value = must(realloc(e->value, size));
        unlink_use(c, e);
        c->rewrites++;
    } else {
        if (c->count == c->capacity) {
            c->evictions++;
            drop(c, slot_of(c, c->oldest->key));
            slot = slot_of(c, key);
        }
        e = *slot = must(calloc(1, sizeof *e));
        e->key = must(malloc(strlen(key) + 1));
        strcpy(e->key, key);
        e->value = must(malloc(size));
        c->count++;
        c->bytes += size + strlen(key) + 1;
    }
    memcpy(e->value, value, size);
    e->value_size = size;
    link_newest(c, e);
    if (c->bytes > c->most_bytes)
        c->most_bytes = c->bytes;
}

/* Makes the record of a name that is not in the cache: always the same one. */
static void make_value(const char *key, char *value, size_t room) {
    unsigned seed = 1;
    for (const char *s = key; *s; s++)
        seed = seed * 31 + (unsigned char)*s;
    int length = snprintf(value, room, "%s=%u;", key, seed);
    for (size_t extra = seed % 40; extra && (size_t)length + 1 < room; extra--) {
        seed = seed * 1103515245u + 12345u;
        value[length++] = (char)('A' + (seed >> 16) % 26);
    }
    value[length] = '\0';
}

int main(int argc, char **argv) {
    Cache *cache = must(calloc(1, sizeof *cache));
    char line[64], value[96];
    unsigned long sum = 0;
    if (argc != 4 || (cache->capacity = (size_t)atoi(argv[1])) == 0)
        return 2;
    FILE *in = fopen(argv[2], "r"), *out = fopen(argv[3], "w");
    if (!in || !out)
        return 1;
    while (fgets(line, sizeof line, in)) {
        char *key = strtok(line, " \n");
        if (!key)
            continue;
        char *action = strtok(NULL, " \n");
        if (action && *action == 'd') {
            Entry **slot = slot_of(cache, key);
            if (*slot)
                drop(cache, slot);
            continue;
        }
        const char *found = get(cache, key);
        if (!found) {
            make_value(key, value, sizeof value);
            put(cache, key, value);
            found = value;
        }
        for (const char *s = found; *s; s++)
            sum = (sum * 131 + (unsigned char)*s) & 0xFFFFFFFFul;
        if (action && *action == 'w') {
            snprintf(value, sizeof value, "%s rewritten %lu", key, cache->rewrites);
            put(cache, key, value);
        }
    }
    for (Entry *e = cache->newest; e; e = e->older)
        fprintf(out, "%-12s %4u %s\n", e->key, e->hits, e->value);
    printf("%lu hits, %lu misses, %lu evictions, %lu rewrites, at most %lu bytes, %08lx\n",
           cache->hits, cache->misses, cache->evictions, cache->rewrites,
           (unsigned long)cache->most_bytes, sum);
    while (cache->oldest)
        drop(cache, slot_of(cache, cache->oldest->key));
    free(cache);
    fclose(in);
    return fclose(out) != 0;
}
