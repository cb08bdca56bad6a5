/* Lists a memory card (FAT12) with a sum over each file, looks for clusters that are lost or in two
 * files, and copies one file out.   card IMAGE LISTING PATH COPY */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR 512
#define MOST_CLUSTERS 4085
#define LAST 0xFF8
#define CACHED 4

typedef struct {
    uint32_t reserved, fats, fat_sectors, root_entries, sectors, per_cluster, root, data, clusters;
} card_t;

typedef struct {
    char name[13];
    uint8_t attributes;
    uint16_t time, date, first;
    uint32_t size;
} entry_t;

static FILE *image, *listing;
static card_t card;
static uint8_t used[MOST_CLUSTERS];
static struct {
    uint32_t sector, age;
    uint8_t bytes[SECTOR];
} cache[CACHED];
static uint32_t age, reads, shared;
static const char *wanted;
static const char *copy_to;

static const uint8_t *sector(uint32_t number) {
    int oldest = 0;
    for (int i = 0; i < CACHED; i++) {
        if (cache[i].age && cache[i].sector == number) {
            cache[i].age = ++age;
            return cache[i].bytes;
        }
        if (cache[i].age < cache[oldest].age)
            oldest = i;
    }
    if (fseek(image, (long)number * SECTOR, SEEK_SET) ||
        fread(cache[oldest].bytes, 1, SECTOR, image) != SECTOR)
        memset(cache[oldest].bytes, 0, SECTOR);
    cache[oldest].sector = number;
    cache[oldest].age = ++age;
    reads++;
    return cache[oldest].bytes;
}

static uint16_t get16(const uint8_t *at) {
    return (uint16_t)(at[0] | at[1] << 8);
}

static uint32_t get32(const uint8_t *at) {
    return get16(at) | (uint32_t)get16(at + 2) << 16;
}

/* The entry of a cluster in a table; twelve bits may lie in two sectors. */
static uint16_t next_of(uint32_t cluster, uint32_t table) {
    uint32_t at = cluster + cluster / 2, from = card.reserved + table * card.fat_sectors;
    uint8_t low = sector(from + at / SECTOR)[at % SECTOR];
    uint8_t high = sector(from + (at + 1) / SECTOR)[(at + 1) % SECTOR];
    uint16_t both = (uint16_t)(low | high << 8);
    return cluster & 1 ? both >> 4 : both & 0xFFF;
}

static int mount(void) {
    const uint8_t *boot = sector(0);
    if (get16(boot + 510) != 0xAA55 || get16(boot + 11) != SECTOR)
        return -1;
    card.per_cluster = boot[13];
    card.reserved = get16(boot + 14);
    card.fats = boot[16];
    card.root_entries = get16(boot + 17);
    card.sectors = get16(boot + 19) ? get16(boot + 19) : get32(boot + 32);
    card.fat_sectors = get16(boot + 22);
    card.root = card.reserved + card.fats * card.fat_sectors;
    card.data = card.root + (card.root_entries * 32 + SECTOR - 1) / SECTOR;
    card.clusters = (card.sectors - card.data) / card.per_cluster;
    return card.clusters < MOST_CLUSTERS ? 0 : -1;
}

static uint32_t crc32(uint32_t crc, const uint8_t *data, size_t size) {
    static uint32_t table[16];
    if (!table[1]) {
        for (uint32_t i = 0; i < 16; i++) {
            uint32_t value = i;
            for (int bit = 0; bit < 4; bit++)
                value = value & 1 ? value >> 1 ^ 0xEDB88320u : value >> 1;
            table[i] = value;
        }
    }
    crc = ~crc;
    while (size--) {
        crc = crc >> 4 ^ table[(crc ^ *data) & 15];
        crc = crc >> 4 ^ table[(crc ^ *data++ >> 4) & 15];
    }
    return ~crc;
}

static void mark(uint32_t cluster) {
    shared += used[cluster] != 0;
    used[cluster] = 1;
}

static void read_file(const entry_t *file, const char *path) {
    uint32_t left = file->size, crc = 0, cluster = file->first, fragments = 0, before = 0;
    FILE *copy = strcmp(path, wanted) == 0 ? fopen(copy_to, "wb") : NULL;
    while (left && cluster >= 2 && cluster < card.clusters + 2) {
        mark(cluster);
        fragments += cluster != before + 1;
        before = cluster;
        for (uint32_t i = 0; i < card.per_cluster && left; i++) {
            uint32_t size = left < SECTOR ? left : SECTOR;
            const uint8_t *bytes = sector(card.data + (cluster - 2) * card.per_cluster + i);
            crc = crc32(crc, bytes, size);
            if (copy)
                fwrite(bytes, 1, size, copy);
            left -= size;
        }
        cluster = next_of(cluster, 0);
    }
    if (copy)
        fclose(copy);
    fprintf(listing, "%s %lu %04d-%02d-%02d %02d:%02d %08lx %lu%s\n", path,
            (unsigned long)file->size, 1980 + (file->date >> 9), file->date >> 5 & 15,
            file->date & 31, file->time >> 11, file->time >> 5 & 63, (unsigned long)crc,
            (unsigned long)fragments, left ? " cut off" : "");
}

static void plain_name(const uint8_t *from, char *to) {
    int size = 0;
    for (int i = 0; i < 11; i++) {
        if (from[i] == ' ')
            continue;
        if (i >= 8 && !memchr(to, '.', (size_t)size))
            to[size++] = '.';
        to[size++] = (char)from[i];
    }
    to[size] = 0;
}

static void list(uint32_t first, const char *path);

/* Returns whether the directory goes on. */
static int visit(const uint8_t *raw, const char *path) {
    entry_t entry;
    char deeper[80];
    if (raw[0] == 0)
        return 0;
    if (raw[0] == 0xE5 || raw[0] == '.' || raw[11] & 8)
        return 1;
    plain_name(raw, entry.name);
    entry.attributes = raw[11];
    entry.time = get16(raw + 22);
    entry.date = get16(raw + 24);
    entry.first = get16(raw + 26);
    entry.size = get32(raw + 28);
    snprintf(deeper, sizeof deeper, "%s/%s", path, entry.name);
    if (entry.attributes & 16)
        list(entry.first, deeper);
    else
        read_file(&entry, deeper);
    return 1;
}

static void list(uint32_t first, const char *path) {
    uint8_t raw[32];
    if (first == 0) {
        for (uint32_t i = 0; i < card.root_entries; i++) {
            memcpy(raw, sector(card.root + i / 16) + i % 16 * 32, 32);
            if (!visit(raw, path))
                return;
        }
        return;
    }
    for (uint32_t cluster = first; cluster >= 2 && cluster < LAST; cluster = next_of(cluster, 0)) {
        mark(cluster);
        for (uint32_t i = 0; i < card.per_cluster * 16; i++) {
            uint32_t at = card.data + (cluster - 2) * card.per_cluster + i / 16;
            memcpy(raw, sector(at) + i % 16 * 32, 32);
            if (!visit(raw, path))
                return;
        }
    }
}

int main(int argc, char **argv) {
    uint32_t lost = 0, unlike = 0, unused = 0;
    if (argc != 5)
        return 2;
    image = fopen(argv[1], "rb");
    listing = fopen(argv[2], "w");
    wanted = argv[3];
    copy_to = argv[4];
    if (!image || !listing || mount())
        return 1;
    list(0, "");
    for (uint32_t cluster = 2; cluster < card.clusters + 2; cluster++) {
        uint16_t next = next_of(cluster, 0);
        lost += next != 0 && !used[cluster];
        unused += next == 0;
        unlike += next != next_of(cluster, 1);
    }
    printf("%lu clusters, %lu free, %lu lost, %lu shared, %lu unlike\n",
           (unsigned long)card.clusters, (unsigned long)unused, (unsigned long)lost,
           (unsigned long)shared, (unsigned long)unlike);
    printf("%lu sectors read\n", (unsigned long)reads);
    fclose(image);
    return fclose(listing) != 0;
}
