#include <stdlib.h>
#include <string.h>

#include "tiff.h"

struct entry {
    uint16_t tag, type;
    uint32_t count, value;
};

static uint32_t number(const uint8_t *bytes, int size) {
    uint32_t value = 0;
    while (size-- > 0)
        value = value << 8 | bytes[size];
    return value;
}

static int read_entry(FILE *file, struct entry *entry) {
    uint8_t bytes[12];
    if (fread(bytes, 1, sizeof bytes, file) != sizeof bytes)
        return -1;
    entry->tag = (uint16_t)number(bytes, 2);
    entry->type = (uint16_t)number(bytes + 2, 2);
    entry->count = number(bytes + 4, 4);
    entry->value = number(bytes + 8, entry->type == 3 && entry->count == 1 ? 2 : 4);
    return 0;
}

/* The values of an entry, shorts or longs, wherever they are; the place in the file stays. */
static uint32_t *read_values(FILE *file, const struct entry *entry) {
    int size = entry->type == 3 ? 2 : 4;
    uint32_t *values = malloc(entry->count * sizeof *values);
    long here = ftell(file);
    if (values == NULL)
        return NULL;
    if (entry->count * (uint32_t)size <= 4) {
        values[0] = entry->value;
        if (entry->count == 2) {
            values[0] = entry->value & 0xFFFF;
            values[1] = entry->value >> 16;
        }
        return values;
    }
    fseek(file, (long)entry->value, SEEK_SET);
    for (uint32_t i = 0; i < entry->count; i++) {
        uint8_t bytes[4];
        fread(bytes, 1, (size_t)size, file);
        values[i] = number(bytes, size);
    }
    fseek(file, here, SEEK_SET);
    return values;
}

static int take(struct tiff *tiff, const struct entry *entry) {
    uint32_t *values;
    switch (entry->tag) {
    case 256:
        tiff->width = entry->value;
        return 0;
    case 257:
        tiff->height = entry->value;
        return 0;
    case 258:
        if ((values = read_values(tiff->file, entry)) == NULL)
            return -1;
        tiff->bits = values[0];
        free(values);
        return 0;
    case 259:
        tiff->compression = entry->value;
        return 0;
    case 262:
        tiff->photometric = entry->value;
        return 0;
    case 273:
        tiff->strips = entry->count;
        return (tiff->offsets = read_values(tiff->file, entry)) == NULL;
    case 277:
        tiff->samples = entry->value;
        return 0;
    case 278:
        tiff->rows_per_strip = entry->value;
        return 0;
    case 279:
        return (tiff->byte_counts = read_values(tiff->file, entry)) == NULL;
    case 320:
        if ((values = read_values(tiff->file, entry)) == NULL)
            return -1;
        tiff->colours = malloc(entry->count * sizeof *tiff->colours);
        for (uint32_t i = 0; tiff->colours && i < entry->count; i++)
            tiff->colours[i] = (uint16_t)values[i];
        free(values);
        return tiff->colours == NULL;
    default:
        return 0;
    }
}

uint32_t tiff_row_bytes(const struct tiff *tiff) {
    return (tiff->width * tiff->bits * tiff->samples + 7) / 8;
}

int tiff_open(struct tiff *tiff, const char *name) {
    uint8_t header[8], count[2];
    struct entry entry;
    memset(tiff, 0, sizeof *tiff);
    tiff->bits = tiff->samples = 1;
    tiff->compression = TIFF_NONE;
    tiff->file = fopen(name, "rb");
    if (tiff->file == NULL || fread(header, 1, 8, tiff->file) != 8 || memcmp(header, "II*", 4))
        return -1;
    fseek(tiff->file, (long)number(header + 4, 4), SEEK_SET);
    fread(count, 1, 2, tiff->file);
    for (uint32_t entries = number(count, 2); entries > 0; entries--)
        if (read_entry(tiff->file, &entry) || take(tiff, &entry))
            return -1;
    if (tiff->offsets == NULL || tiff->byte_counts == NULL)
        return -1;
    if (tiff->rows_per_strip == 0 || tiff->rows_per_strip > tiff->height)
        tiff->rows_per_strip = tiff->height;
    /* PackBits adds at most one byte to 128. */
    uint32_t bytes = tiff_row_bytes(tiff) * tiff->rows_per_strip;
    tiff->packed = malloc(bytes + bytes / 64 + tiff->height + 16);
    return tiff->packed == NULL;
}

static int unpack(const uint8_t *from, uint32_t bytes, uint8_t *to, uint32_t wanted) {
    const uint8_t *end = from + bytes;
    while (wanted > 0 && from < end) {
        int code = (int8_t)*from++;
        uint32_t count;
        if (code == -128)
            continue;
        count = code < 0 ? (uint32_t)(1 - code) : (uint32_t)(code + 1);
        if (count > wanted)
            return -1;
        if (code < 0) {
            memset(to, *from++, count);
        } else {
            memcpy(to, from, count);
            from += count;
        }
        to += count;
        wanted -= count;
    }
    return wanted ? -1 : 0;
}

int tiff_read_strip(struct tiff *tiff, uint32_t strip, uint8_t *rows) {
    uint32_t first = strip * tiff->rows_per_strip, count = tiff->height - first;
    if (count > tiff->rows_per_strip)
        count = tiff->rows_per_strip;
    uint32_t wanted = count * tiff_row_bytes(tiff), bytes = tiff->byte_counts[strip];
    fseek(tiff->file, (long)tiff->offsets[strip], SEEK_SET);
    if (tiff->compression == TIFF_NONE)
        return fread(rows, 1, wanted, tiff->file) == wanted ? (int)count : -1;
    if (fread(tiff->packed, 1, bytes, tiff->file) != bytes)
        return -1;
    return unpack(tiff->packed, bytes, rows, wanted) ? -1 : (int)count;
}

void tiff_close(struct tiff *tiff) {
    free(tiff->offsets);
    free(tiff->byte_counts);
    free(tiff->colours);
    free(tiff->packed);
    fclose(tiff->file);
}
