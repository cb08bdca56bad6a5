/* Keeps values by their keys in a file that only grows, and an index of where they are. When half
 * is out of date, the file is packed. It begins again from the file, whose end is damaged. journal
 * CHANGES SEED FILE OUTPUT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 128
#define KEY 16
#define VALUE 48
#define MAGIC 0xA5u

typedef struct {
    char key[KEY];
    long at;
    uint8_t length;
} slot_t;

typedef struct {
    uint8_t magic, key_length, value_length, sum;
} head_t;

static slot_t slots[SLOTS];
static unsigned live, dead, packed, cut_off;
static const char *path;
static FILE *file;
static uint32_t seed;

static uint32_t draw(uint32_t below) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static uint8_t sum_of(const char *key, const char *value, size_t length) {
    uint8_t sum = 0x5A;
    while (*key)
        sum = (uint8_t)((sum << 1 | sum >> 7) ^ (uint8_t)*key++);
    for (size_t i = 0; i < length; i++)
        sum = (uint8_t)((sum << 1 | sum >> 7) ^ (uint8_t)value[i]);
    return sum;
}

static slot_t *slot_of(const char *key) {
    uint32_t hash = 5381;
    for (const char *at = key; *at; at++)
        hash = hash * 33 + (uint8_t)*at;
    for (unsigned i = 0; i < SLOTS; i++) {
        slot_t *slot = &slots[(hash + i) % SLOTS];
        if (!*slot->key || strcmp(slot->key, key) == 0)
            return slot;
    }
    return NULL;
}

static void append(FILE *to, const char *key, const char *value, size_t length) {
    head_t head = {MAGIC, (uint8_t)strlen(key), (uint8_t)length, sum_of(key, value, length)};
    fwrite(&head, sizeof head, 1, to);
    fwrite(key, 1, head.key_length, to);
    fwrite(value, 1, length, to);
}

static int get(const slot_t *slot, char *value) {
    if (!slot || !slot->length || fseek(file, slot->at, SEEK_SET))
        return -1;
    return fread(value, 1, slot->length, file) == slot->length ? slot->length : -1;
}

/* A record counts when it is whole; an empty value takes its key away. */
static void note(const char *key, long value_at, size_t length) {
    slot_t *slot = slot_of(key);
    if (!slot)
        exit(EXIT_FAILURE);
    if (*slot->key && slot->length) {
        dead++;
        live--;
    }
    strcpy(slot->key, key);
    slot->at = value_at;
    slot->length = (uint8_t)length;
    if (length)
        live++;
    else
        dead++;
}

static void put(const char *key, const char *value, size_t length) {
    fseek(file, 0, SEEK_END);
    long at = ftell(file) + (long)(sizeof(head_t) + strlen(key));
    append(file, key, value, length);
    note(key, at, length);
}

static int pack(void) {
    char value[VALUE];
    FILE *to = fopen("journal.new", "wb+");
    if (!to)
        return 1;
    for (unsigned i = 0; i < SLOTS; i++) {
        int length = get(&slots[i], value);
        if (length < 0)
            continue;
        long at = ftell(to) + (long)(sizeof(head_t) + strlen(slots[i].key));
        append(to, slots[i].key, value, (size_t)length);
        slots[i].at = at;
    }
    fclose(to);
    fclose(file);
    remove(path);
    if (rename("journal.new", path))
        return 1;
    file = fopen(path, "rb+");
    dead = 0;
    packed++;
    return file == NULL;
}

static int begin(void) {
    head_t head;
    char key[KEY], value[VALUE];
    memset(slots, 0, sizeof slots);
    live = dead = 0;
    file = fopen(path, "rb+");
    if (!file)
        return 1;
    while (fread(&head, sizeof head, 1, file) == 1) {
        if (head.magic != MAGIC || head.key_length >= KEY || head.value_length > VALUE ||
            fread(key, 1, head.key_length, file) != head.key_length)
            break;
        key[head.key_length] = 0;
        long at = ftell(file);
        if (fread(value, 1, head.value_length, file) != head.value_length ||
            sum_of(key, value, head.value_length) != head.sum) {
            cut_off++;
            break;
        }
        note(key, at, head.value_length);
    }
    return 0;
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const slot_t *)a)->key, ((const slot_t *)b)->key);
}

static int list(const char *to) {
    char value[VALUE + 1];
    FILE *output = fopen(to, "w");
    if (!output)
        return 1;
    qsort(slots, SLOTS, sizeof *slots, by_key);
    for (unsigned i = 0; i < SLOTS; i++) {
        int length = get(&slots[i], value);
        if (length > 0)
            fprintf(output, "%s=%.*s\n", slots[i].key, length, value);
    }
    return fclose(output) != 0;
}

int main(int argc, char **argv) {
    char key[KEY], value[VALUE + 1];
    if (argc != 5)
        return 2;
    path = argv[3];
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    file = fopen(path, "wb+");
    if (!file)
        return 1;
    for (int i = 0; i < atoi(argv[1]); i++) {
        unsigned node = draw(12), kind = draw(3), whole = draw(100), part = draw(100);
        snprintf(key, sizeof key, "node%u/%c", node, "ptv"[kind]);
        int length =
            draw(9) == 0 ? 0 : snprintf(value, sizeof value, "%u.%02u at %d", whole, part, i);
        put(key, value, (size_t)length);
        if (dead > 24 && dead > live && pack())
            return 1;
    }
    printf("%u live, %u out of date, packed %u times\n", live, dead, packed);
    /* The power fails within a record. */
    append(file, "node1/p", "99.99 never whole", 17);
    fseek(file, -5, SEEK_END);
    fwrite("?????", 1, 5, file);
    fclose(file);
    if (begin() || list(argv[4]))
        return 1;
    printf("%u live again, %u cut off\n", live, cut_off);
    return fclose(file) != 0;
}
