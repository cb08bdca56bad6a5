/* Lists an archive of tar, leaves out what is broken, and packs the rest again by name.
 * tarball ARCHIVE LIST AGAIN */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 512
#define MOST 80

typedef struct {
    char name[100], mode[8], user[8], group[8], size[12], time[12], sum[8], type, target[100];
    char magic[6], version[2], user_name[32], group_name[32], major[8], minor[8], prefix[155];
    char rest[12];
} header_t;

typedef union {
    header_t header;
    unsigned char bytes[BLOCK];
} block_t;

typedef struct {
    block_t head;
    char path[260];
    unsigned char *data;
    unsigned long size;
} entry_t;

static entry_t *entries[MOST];
static unsigned count, broken;
static unsigned long total;

static int octal(const char *field, size_t size, unsigned long *value) {
    *value = 0;
    while (size && *field == ' ')
        field++, size--;
    for (; size && *field && *field != ' '; field++, size--) {
        if (*field < '0' || *field > '7')
            return 0;
        *value = *value << 3 | (unsigned long)(*field - '0');
    }
    return 1;
}

static unsigned long sum_of(const block_t *block) {
    unsigned long sum = 8 * ' ';
    for (size_t i = 0; i < BLOCK; i++)
        if (i < offsetof(header_t, sum) || i >= offsetof(header_t, type))
            sum += block->bytes[i];
    return sum;
}

static int empty(const block_t *block) {
    for (size_t i = 0; i < BLOCK; i++)
        if (block->bytes[i])
            return 0;
    return 1;
}

static void mode_text(unsigned long mode, char type, char *text) {
    *text++ = type == '5' ? 'd' : type == '2' ? 'l' : '-';
    for (int bit = 8; bit >= 0; bit--)
        *text++ = mode >> bit & 1 ? "xwr"[bit % 3] : '-';
    *text = 0;
}

/* Days since 1970 to a date. */
static void date_text(unsigned long seconds, char *text, size_t size) {
    unsigned long days = seconds / 86400, rest = seconds % 86400;
    unsigned long z = days + 719468, era = z / 146097, doe = z % 146097;
    unsigned long yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
    unsigned long doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;
    unsigned long month = mp < 10 ? mp + 3 : mp - 9;
    snprintf(text, size, "%04lu-%02lu-%02lu %02lu:%02lu", yoe + era * 400 + (month <= 2), month,
             doy - (153 * mp + 2) / 5 + 1, rest / 3600, rest / 60 % 60);
}

static int by_path(const void *a, const void *b) {
    return strcmp((*(entry_t *const *)a)->path, (*(entry_t *const *)b)->path);
}

static const char *take(FILE *input, entry_t *entry) {
    header_t *header = &entry->head.header;
    unsigned long said, size;
    if (memcmp(header->magic, "ustar", 5))
        return "magic";
    if (!octal(header->size, sizeof header->size, &size))
        return "size";
    entry->size = header->type == '0' ? size : 0;
    size_t whole = (entry->size + BLOCK - 1) / BLOCK * BLOCK;
    entry->data = malloc(whole + 1);
    if (!entry->data || fread(entry->data, 1, whole, input) != whole)
        return "end";
    if (!octal(header->sum, sizeof header->sum, &said) || said != sum_of(&entry->head))
        return "sum";
    if (header->prefix[0])
        snprintf(entry->path, sizeof entry->path, "%.155s/%.100s", header->prefix, header->name);
    else
        snprintf(entry->path, sizeof entry->path, "%.100s", header->name);
    return NULL;
}

static void list(FILE *output, const entry_t *entry) {
    const header_t *header = &entry->head.header;
    unsigned long mode = 0, time = 0;
    char bits[12], date[24];
    octal(header->mode, sizeof header->mode, &mode);
    octal(header->time, sizeof header->time, &time);
    mode_text(mode, header->type, bits);
    date_text(time, date, sizeof date);
    fprintf(output, "%s %s/%s %6lu %s %s", bits, header->user_name, header->group_name, entry->size,
            date, entry->path);
    if (header->type == '2')
        fprintf(output, " -> %.100s", header->target);
    fputc('\n', output);
}

int main(int argc, char **argv) {
    static block_t zeros;
    if (argc != 4)
        return 2;
    FILE *input = fopen(argv[1], "rb"), *output = fopen(argv[2], "w");
    FILE *again = fopen(argv[3], "wb");
    if (!input || !output || !again)
        return 1;
    for (;;) {
        entry_t *entry = calloc(1, sizeof *entry);
        if (!entry || fread(&entry->head, 1, BLOCK, input) != BLOCK || empty(&entry->head)) {
            free(entry);
            break;
        }
        const char *wrong = take(input, entry);
        if (wrong) {
            fprintf(output, "broken: %s\n", wrong);
            broken++;
            free(entry->data);
            free(entry);
        } else if (count < MOST) {
            list(output, entry);
            entries[count++] = entry;
        }
    }
    qsort(entries, count, sizeof *entries, by_path);
    for (unsigned i = 0; i < count; i++) {
        size_t whole = (entries[i]->size + BLOCK - 1) / BLOCK * BLOCK;
        fwrite(&entries[i]->head, 1, BLOCK, again);
        fwrite(entries[i]->data, 1, whole, again);
        total += entries[i]->size;
    }
    fwrite(&zeros, 1, BLOCK, again);
    fwrite(&zeros, 1, BLOCK, again);
    printf("%u entries, %u broken, %lu bytes\n", count, broken, total);
    fclose(input);
    return fclose(output) != 0 || fclose(again) != 0;
}
