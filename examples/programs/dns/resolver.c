/* Answers of a name server, written with names that point back into the message, read again, and
 * kept in a cache by how long they hold.   resolver MESSAGES SEED MESSAGE_FILE OUTPUT */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MESSAGE 512
#define NAME 64
#define CACHE 32
#define SUFFIXES 24

enum { A = 1, CNAME = 5, MX = 15 };

typedef struct {
    uint8_t bytes[MESSAGE];
    size_t size;
    uint16_t suffix_at[SUFFIXES];
    int suffixes;
} message_t;

typedef struct {
    char name[NAME], target[NAME];
    uint16_t type, preference;
    uint32_t ttl_s, address;
} record_t;

typedef struct entry {
    record_t record;
    uint32_t until_s;
    struct entry *older, *newer;
} entry_t;

static uint32_t seed;
static entry_t pool[CACHE], *newest, *oldest;
static unsigned used, hits, misses, expired, evicted;
static FILE *output;

static uint32_t draw(uint32_t below) {
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % below;
}

static void put16(message_t *message, uint32_t value) {
    message->bytes[message->size++] = (uint8_t)(value >> 8);
    message->bytes[message->size++] = (uint8_t)value;
}

static size_t get_name(const uint8_t *bytes, size_t at, char *name) {
    size_t end = 0, length = 0;
    for (int jumps = 0; bytes[at] && jumps < 16;) {
        if (bytes[at] >= 0xC0) {
            if (!end)
                end = at + 2;
            at = (size_t)(bytes[at] & 0x3F) << 8 | bytes[at + 1];
            jumps++;
            continue;
        }
        if (length)
            name[length++] = '.';
        memcpy(name + length, bytes + at + 1, bytes[at]);
        length += bytes[at];
        at += bytes[at] + 1u;
    }
    name[length] = 0;
    return end ? end : at + 1;
}

/* Writes a name; an ending that the message has already is written as its place. */
static void put_name(message_t *message, const char *name) {
    char there[NAME];
    while (*name) {
        for (int i = 0; i < message->suffixes; i++) {
            get_name(message->bytes, message->suffix_at[i], there);
            if (strcmp(there, name) == 0) {
                put16(message, 0xC000u | message->suffix_at[i]);
                return;
            }
        }
        if (message->suffixes < SUFFIXES)
            message->suffix_at[message->suffixes++] = (uint16_t)message->size;
        size_t length = strcspn(name, ".");
        message->bytes[message->size++] = (uint8_t)length;
        memcpy(message->bytes + message->size, name, length);
        message->size += length;
        name += length + (name[length] == '.');
    }
    message->bytes[message->size++] = 0;
}

static void put_record(message_t *message, const record_t *record) {
    put_name(message, record->name);
    put16(message, record->type);
    put16(message, 1);
    put16(message, record->ttl_s >> 16);
    put16(message, record->ttl_s);
    size_t length_at = message->size;
    message->size += 2;
    if (record->type == A) {
        put16(message, record->address >> 16);
        put16(message, record->address);
    } else {
        if (record->type == MX)
            put16(message, record->preference);
        put_name(message, record->target);
    }
    size_t length = message->size - length_at - 2;
    message->bytes[length_at] = (uint8_t)(length >> 8);
    message->bytes[length_at + 1] = (uint8_t)length;
}

static void some_name(char *name) {
    static const char *const HOSTS[] = {"www",      "mail",  "ns1", "gate",
                                        "camera-7", "meter", "a",   "printer"};
    static const char *const ZONES[] = {"example.org", "lab.example.org", "plant.test",
                                        "north.plant.test"};
    const char *host = HOSTS[draw(8)];
    sprintf(name, "%s.%s", host, ZONES[draw(4)]);
}

static size_t get_record(const message_t *message, size_t at, record_t *record) {
    const uint8_t *bytes = message->bytes;
    at = get_name(bytes, at, record->name);
    record->type = (uint16_t)(bytes[at] << 8 | bytes[at + 1]);
    record->ttl_s = (uint32_t)bytes[at + 4] << 24 | (uint32_t)bytes[at + 5] << 16 |
                    (uint32_t)bytes[at + 6] << 8 | bytes[at + 7];
    size_t length = (size_t)bytes[at + 8] << 8 | bytes[at + 9];
    at += 10;
    record->target[0] = 0;
    if (record->type == A) {
        record->address = (uint32_t)bytes[at] << 24 | (uint32_t)bytes[at + 1] << 16 |
                          (uint32_t)bytes[at + 2] << 8 | bytes[at + 3];
    } else if (record->type == MX) {
        record->preference = (uint16_t)(bytes[at] << 8 | bytes[at + 1]);
        get_name(bytes, at + 2, record->target);
    } else {
        get_name(bytes, at, record->target);
    }
    return at + length;
}

static void unlink_entry(entry_t *entry) {
    *(entry->older ? &entry->older->newer : &oldest) = entry->newer;
    *(entry->newer ? &entry->newer->older : &newest) = entry->older;
}

static void link_newest(entry_t *entry) {
    entry->newer = NULL;
    entry->older = newest;
    *(newest ? &newest->newer : &oldest) = entry;
    newest = entry;
}

static void keep(const record_t *record, uint32_t now_s) {
    entry_t *entry;
    for (entry = newest; entry; entry = entry->older)
        if (entry->record.type == record->type && strcmp(entry->record.name, record->name) == 0)
            break;
    if (entry) {
        if (entry->until_s > now_s)
            hits++;
        else
            expired++;
        unlink_entry(entry);
    } else if (misses++, used < CACHE) {
        entry = &pool[used++];
    } else {
        entry = oldest;
        evicted++;
        unlink_entry(entry);
    }
    entry->record = *record;
    entry->until_s = now_s + record->ttl_s;
    link_newest(entry);
}

static void show(const record_t *record) {
    static const char *const TYPES[] = {[A] = "A", [CNAME] = "CNAME", [MX] = "MX"};
    fprintf(output, "%-28s %5lu %-5s ", record->name, (unsigned long)record->ttl_s,
            TYPES[record->type]);
    if (record->type == A)
        fprintf(output, "%u.%u.%u.%u\n", (unsigned)(record->address >> 24),
                (unsigned)(record->address >> 16 & 255), (unsigned)(record->address >> 8 & 255),
                (unsigned)(record->address & 255));
    else if (record->type == MX)
        fprintf(output, "%u %s\n", record->preference, record->target);
    else
        fprintf(output, "%s\n", record->target);
}

int main(int argc, char **argv) {
    static message_t message;
    char question[NAME];
    record_t record;
    unsigned long bytes = 0;
    if (argc != 5)
        return 2;
    seed = (uint32_t)strtoul(argv[2], NULL, 10);
    FILE *messages = fopen(argv[3], "wb");
    output = fopen(argv[4], "w");
    if (!messages || !output)
        return 1;
    for (int number = 0; number < atoi(argv[1]); number++) {
        uint32_t answers = 1 + draw(5);
        memset(&message, 0, sizeof message);
        put16(&message, (uint32_t)number);
        put16(&message, 0x8180);
        put16(&message, 1);
        put16(&message, answers);
        put16(&message, 0);
        put16(&message, 0);
        some_name(question);
        put_name(&message, question);
        put16(&message, 255);
        put16(&message, 1);
        for (uint32_t i = 0; i < answers; i++) {
            memset(&record, 0, sizeof record);
            strcpy(record.name, question);
            record.type = (uint16_t[]){A, A, CNAME, MX}[draw(4)];
            record.ttl_s = 30 * (1 + draw(40));
            record.address = 10u << 24 | draw(65536);
            record.preference = (uint16_t)(10 * draw(6));
            some_name(record.target);
            put_record(&message, &record);
            if (record.type == CNAME)
                strcpy(question, record.target);
        }
        fputc((int)(message.size >> 8), messages);
        fputc((int)(message.size & 255), messages);
        fwrite(message.bytes, 1, message.size, messages);
        bytes += message.size;
        size_t at = get_name(message.bytes, 12, question) + 4;
        for (uint32_t i = 0; i < answers; i++) {
            at = get_record(&message, at, &record);
            keep(&record, (uint32_t)number * 45);
            show(&record);
        }
    }
    printf("%lu bytes; %u known, %u new, %u out of date, %u thrown out\n", bytes, hits, misses,
           expired, evicted);
    fclose(messages);
    return fclose(output) != 0;
}
