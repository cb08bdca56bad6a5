/* The files of a board on this machine: littlefs with the board's disk and descriptors. Compiled
 * with -finstrument-functions: each entry of a function that events.h names is an event.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "events.h"

#define NOT_COUNTED __attribute__((no_instrument_function))

int events_count;

NOT_COUNTED static void copied(const void *to, const void *from, size_t size) {
    int aligned = !(((uintptr_t)to | (uintptr_t)from) & 3);
    event(size < 16 ? COPY_SHORT : aligned ? COPY_ALIGNED : COPY_UNALIGNED, (unsigned)size, 1);
}

NOT_COUNTED static void *counted_copy(void *to, const void *from, size_t size) {
    copied(to, from, size);
    return memcpy(to, from, size);
}

NOT_COUNTED static void *counted_clear(void *to, int byte, size_t size) {
    event(CLEAR, (unsigned)size, 1);
    return memset(to, byte, size);
}

#define memcpy counted_copy
#define memset counted_clear
#include "lfs_util.c"
#define lfs_crc(crc, buffer, size) \
    (event(AMOUNT_crc_bytes, 0, (size)), lfs_crc((crc), (buffer), (size)))
#include "descriptors.c"
#include "disk.c"
#include "lfs.c"
#undef memcpy
#undef memset
#undef lfs_crc
#include "streams.c"

enum { MOST_DEEP_CALLS = 256, PLACES = 512 };

static struct place {
    void *function;
    unsigned number;
} places[PLACES];
static unsigned called[MOST_DEEP_CALLS];
static unsigned depth;
static int known;

NOT_COUNTED static struct place *place_of(void *function) {
    for (uintptr_t at = (uintptr_t)function >> 4;; at++) {
        struct place *place = &places[at % PLACES];
        if (!place->function || place->function == function)
            return place;
    }
}

NOT_COUNTED static void know(void) {
#define KNOW(name) *place_of((void *)name) = (struct place){(void *)name, FUNCTION_##name};
    FUNCTIONS(KNOW)
    known = 1;
}

NOT_COUNTED void __cyg_profile_func_enter(void *function, void *site) {
    if (!events_count)
        return;
    if (!known)
        know();
    struct place *place = place_of(function);
    if (!place->function)
        return;
    unsigned from = depth ? called[depth - 1] : FUNCTION_COUNT;
    if (depth < MOST_DEEP_CALLS)
        called[depth++] = place->number;
    event(place->number, from, 1);
}

NOT_COUNTED void __cyg_profile_func_exit(void *function, void *site) {
    if (events_count && known && depth && place_of(function)->function)
        depth--;
}

static uint8_t board_disk[DISK_BYTES] __attribute__((aligned(8)));

NOT_COUNTED int board_format(void) {
    events_count = 0;
    depth = 0;
    disk_attach(board_disk);
    memset(&file_system, 0, sizeof file_system);
    return lfs_format(&file_system.lfs, &disk) || lfs_mount(&file_system.lfs, &disk);
}

/* As a board has it after its start: mounted anew, and free blocks are known. */
NOT_COUNTED int board_remount(void) {
    events_count = 0;
    memset(&file_system, 0, sizeof file_system);
    return lfs_mount(&file_system.lfs, &disk) || lfs_fs_gc(&file_system.lfs);
}

/* Makes a file of so many bytes, if there is none of that name; nothing of it is counted. */
NOT_COUNTED int board_give(const char *path, size_t size) {
    static const uint8_t zeros[256];
    lfs_file_t file;
    static uint8_t cache[DISK_CACHE_BYTES];
    struct lfs_file_config config = {.buffer = cache};
    struct lfs_info info;
    int counted = events_count;
    events_count = 0;
    lfs_t *lfs = &file_system.lfs;
    int failed = 0;
    if (lfs_stat(lfs, path, &info) < 0) {
        failed = lfs_file_opencfg(lfs, &file, path, LFS_O_WRONLY | LFS_O_CREAT, &config);
        while (!failed && size) {
            size_t part = size < sizeof zeros ? size : sizeof zeros;
            failed = lfs_file_write(lfs, &file, zeros, part) < 0;
            size -= part;
        }
        failed = failed || lfs_file_close(lfs, &file);
    }
    events_count = counted;
    return failed;
}
