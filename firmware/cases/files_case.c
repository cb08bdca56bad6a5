/* Disks for the cases of files, and the state that every call of a series finds. */
#include "files_case.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *content, *buffer;
char path[2 * MOST_DEEP];
FILE *stream;

static lfs_t *const lfs = &file_system.lfs;

/* A piece of memory, and what it held. */
struct kept {
    uint32_t *place, *copy;
    size_t words;
};

enum { MOST_KEPT = 24, LIBRARY_BYTES = 4096 };
static struct kept kept[MOST_KEPT];
static uint32_t kept_count, kept_beside_disk;
static bool disk_is_kept;
static uint32_t writes_when_kept;
static char *heap_begin, *heap_end;

/* The library's variables lie where the link script has them. */
extern uint32_t library_data_begin[], library_data_end[], library_bss_begin[], library_bss_end[];

uint32_t files_bytes(const struct series *series) {
    return ARENA_BLOCK(DISK_BYTES) + 2 * ARENA_BLOCK(MOST_BYTES + 1) +
           ARENA_BLOCK(sizeof file_system) + LIBRARY_BYTES;
}

/* Eight words at a time, as the processor loads and stores them fastest. */
struct words {
    uint32_t words[8];
};

static void copy(uint32_t *to, const uint32_t *from, size_t count) {
    for (; count >= 8; count -= 8, to += 8, from += 8)
        *(struct words *)to = *(const struct words *)from;
    while (count-- > 0)
        *to++ = *from++;
}

static bool keep(void *begin, void *end) {
    size_t words = ((char *)end - (char *)begin) / sizeof(uint32_t);
    if (words == 0)
        return true;
    uint32_t *copied = kept_count < MOST_KEPT ? arena_take(words * sizeof *copied) : NULL;
    if (copied == NULL)
        return false;
    kept[kept_count++] = (struct kept){begin, copied, words};
    copy(copied, begin, words);
    return true;
}

/* littlefs reports the blocks of a directory twice. */
static int keep_block(void *unused, lfs_block_t block) {
    for (uint32_t i = 0; i < kept_count; i++)
        if (kept[i].place == (uint32_t *)disk_block(block))
            return LFS_ERR_OK;
    return keep(disk_block(block), disk_block(block + 1)) ? LFS_ERR_OK : LFS_ERR_NOMEM;
}

static uint32_t writes(void) {
    return disk_operations.progs + disk_operations.erases;
}

bool remember(void) {
    kept_count = 0;
    heap_end = sbrk(0);
    if (!keep(&file_system, &file_system + 1) || !keep(library_data_begin, library_data_end) ||
        !keep(library_bss_begin, library_bss_end) || !keep(heap_begin, heap_end))
        return false;
    kept_beside_disk = kept_count;
    disk_is_kept = lfs_fs_traverse(lfs, keep_block, NULL) == LFS_ERR_OK;
    if (!disk_is_kept)
        kept_count = kept_beside_disk;
    writes_when_kept = writes();
    return bring_back();
}

bool bring_back(void) {
    bool written = writes() != writes_when_kept;
    sbrk(heap_end - (char *)sbrk(0));
    for (uint32_t i = 0; i < (written ? kept_count : kept_beside_disk); i++)
        copy(kept[i].place, kept[i].copy, kept[i].words);
    writes_when_kept = writes();
    return disk_is_kept || !written;
}

bool make_disk(void) {
    heap_begin = sbrk(0);
    void *memory = arena_take(DISK_BYTES);
    content = arena_take(MOST_BYTES + 1);
    buffer = arena_take(MOST_BYTES + 1);
    if (buffer == NULL)
        return false;
    for (uint32_t i = 0; i <= MOST_BYTES; i++)
        content[i] = (char)('a' + i % 16);
    disk_attach(memory);
    memset(&file_system, 0, sizeof file_system);
    return lfs_format(lfs, &disk) == LFS_ERR_OK && lfs_mount(lfs, &disk) == LFS_ERR_OK;
}

bool make_file(const char *name, uint32_t bytes) {
    int file = open(name, O_WRONLY | O_CREAT);
    uint32_t left = bytes;
    while (left > 0) {
        uint32_t part = left < MOST_BYTES ? left : MOST_BYTES;
        if (write(file, content, part) != (int)part)
            break;
        left -= part;
    }
    return close(file) == 0 && left == 0;
}

bool make_directories(uint32_t depth) {
    path[0] = 0;
    for (uint32_t i = 1; i < depth; i++) {
        strcat(path, "d");
        if (mkdir(path, 0777) != 0)
            return false;
        strcat(path, "/");
    }
    strcat(path, "f");
    return true;
}

bool make_entries(uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        path[0] = 'f';
        path[1] = (char)('a' + i);
        path[2] = 0;
        if (!make_file(path, 0))
            return false;
    }
    return true;
}

/* Behind block 0 of a file, block i begins with as many pointers as i has trailing zero bits, and
 * one (littlefs, DESIGN.md, "CTZ skip-lists"). */
bool fill_disk(void) {
    lfs_ssize_t used = lfs_fs_size(lfs);
    uint32_t bytes = DISK_BLOCK_BYTES;
    for (uint32_t i = 1; used > 0 && i < DISK_BLOCK_COUNT - (uint32_t)used; i++)
        bytes += DISK_BLOCK_BYTES - sizeof(lfs_block_t) * (lfs_ctz(i) + 1);
    return make_file("all", bytes) && lfs_fs_size(lfs) == DISK_BLOCK_COUNT;
}

bool file_holds(const char *name, uint32_t offset, uint32_t bytes) {
    int file = open(name, O_RDONLY);
    bool same = file >= 0 && lseek(file, 0, SEEK_END) >= (off_t)(offset + bytes) &&
                lseek(file, (off_t)offset, SEEK_SET) == (off_t)offset &&
                read(file, buffer, bytes) == (int)bytes && memcmp(buffer, content, bytes) == 0;
    return close(file) == 0 && same;
}

bool settle_streams(void) {
    FILE *device = fopen(FILES_DEVICE, "r");
    return device != NULL && fclose(device) == 0;
}

bool open_stream(const char *mode, enum buffering buffering) {
    if (!make_disk() || !make_directories(1) || !settle_streams())
        return false;
    if (mode[0] == 'r' && !make_file(path, MOST_BYTES + 1))
        return false;
    stream = fopen(path, mode);
    if (stream == NULL)
        return false;
    return buffering == AS_OPENED ||
           setvbuf(stream, NULL, buffering == BUFFERED ? _IOFBF : _IONBF, STREAM_BYTES) == 0;
}

bool fill_buffer(void) {
    return getc(stream) == content[0];
}
