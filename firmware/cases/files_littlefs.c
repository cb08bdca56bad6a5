/* littlefs called directly, and the disk below it. */
#include <string.h>

#include "files_case.h"

static lfs_t *const lfs = &file_system.lfs;

static bool make_empty(const struct series *series) {
    return make_disk() && remember();
}

/* The disk: what a block's operation costs. */

#define FEW_ENTRIES .parameter = "entries of the directory", .unit = "entry", X_FROM_TO(1, 12)
#define BLOCK_PART .parameter = "size", .unit = "byte", X_FROM_TO(16, 256)
enum { SOME_BLOCK = DISK_BLOCK_COUNT - 1 };

static bool make_programmed(const struct series *series) {
    return make_disk() && disk_erase(&disk, SOME_BLOCK) == LFS_ERR_OK &&
           disk_program(&disk, SOME_BLOCK, 0, content, DISK_BLOCK_BYTES) == LFS_ERR_OK;
}

static bool has_read_block(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK && memcmp(buffer, content, series->x) == 0;
}

TIMED_CASE(disk_read, part, disk_read, disk_read(&disk, SOME_BLOCK, 0, buffer, series->x), LITTLEFS,
           .condition = "of a block", BLOCK_PART, .set_up = make_programmed,
           .after = has_read_block)

static bool make_erased(const struct series *series) {
    return make_disk() && disk_erase(&disk, SOME_BLOCK) == LFS_ERR_OK;
}

static bool has_programmed(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK && memcmp(disk_block(SOME_BLOCK), content, series->x) == 0 &&
           disk_erase(&disk, SOME_BLOCK) == LFS_ERR_OK;
}

TIMED_CASE(disk_program, part, disk_program, disk_program(&disk, SOME_BLOCK, 0, content, series->x),
           LITTLEFS, .condition = "of an erased block", BLOCK_PART, .set_up = make_erased,
           .after = has_programmed)

static bool has_erased(const struct series *series, uintptr_t result) {
    uint8_t *block = disk_block(SOME_BLOCK);
    bool erased = result == LFS_ERR_OK && block[0] == 0xFF && block[DISK_BLOCK_BYTES - 1] == 0xFF;
    return disk_program(&disk, SOME_BLOCK, 0, content, DISK_BLOCK_BYTES) == LFS_ERR_OK && erased;
}

TIMED_CASE(disk_erase, block, disk_erase, disk_erase(&disk, SOME_BLOCK), LITTLEFS,
           .condition = "a block", .set_up = make_programmed, .after = has_erased)

/* The file system as a whole. */

static bool is_formatted(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK &&
           (seen(series) || (lfs_mount(lfs, &disk) == LFS_ERR_OK && lfs_fs_size(lfs) == 2)) &&
           bring_back();
}

TIMED_CASE(lfs_format, disk, lfs_format, lfs_format(lfs, &disk), LITTLEFS,
           .condition = "a disk that was formatted before", .set_up = make_empty,
           .after = is_formatted)

static bool make_tree(const struct series *series) {
    return make_disk() && make_directories(series->x) && lfs_unmount(lfs) == LFS_ERR_OK &&
           remember();
}

static bool is_mounted(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK && (seen(series) || lfs_fs_size(lfs) == (int)(2 * series->x)) &&
           bring_back();
}

TIMED_CASE(lfs_mount, directories, lfs_mount, lfs_mount(lfs, &disk), LITTLEFS,
           .condition = "directories, one in the other, the root among them",
           .parameter = "directories", .unit = "directory", X_FROM_TO(1, 6), .set_up = make_tree,
           .after = is_mounted)

static bool make_one_file(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, series->x) && remember();
}

static bool is_number_of_blocks(const struct series *series, uintptr_t blocks) {
    return blocks >= 2 && blocks <= DISK_BLOCK_COUNT && bring_back();
}

TIMED_CASE(lfs_fs_size, one_file, lfs_fs_size, lfs_fs_size(lfs), LITTLEFS,
           .condition = "every block in use is visited: one file", FILE_SIZE,
           .set_up = make_one_file, .after = is_number_of_blocks)

/* Directories: their entries are read one by one. */

static lfs_dir_t *const directory = &file_system.directory;
static struct lfs_info info;

static bool open_directory(const struct series *series) {
    return lfs_dir_open(lfs, directory, "/") == LFS_ERR_OK;
}

static bool make_many(const struct series *series) {
    return make_disk() && make_entries(series->x) && remember();
}

static bool is_open(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK && lfs_dir_close(lfs, directory) == LFS_ERR_OK && bring_back();
}

TIMED_CASE(lfs_dir_open, root, lfs_dir_open, lfs_dir_open(lfs, directory, "/"), LITTLEFS,
           .condition = "the root directory", FEW_ENTRIES, .set_up = make_many, .after = is_open)

/* The two entries that stand for the directory itself and its parent come first. */
static bool open_before_last(const struct series *series) {
    return make_disk() && make_entries(series->x) && open_directory(series) &&
           lfs_dir_seek(lfs, directory, series->x + 1) == LFS_ERR_OK && remember();
}

static bool has_last_entry(const struct series *series, uintptr_t result) {
    return result == 1 && strcmp(info.name, path) == 0 && bring_back();
}

TIMED_CASE(lfs_dir_read, last_entry, lfs_dir_read, lfs_dir_read(lfs, directory, &info), LITTLEFS,
           .condition = "the last one", FEW_ENTRIES, .set_up = open_before_last,
           .after = has_last_entry)

/* Files: what the library and the descriptors add stands in the cases of read() and close(). */

static lfs_file_t *const file = &file_system.descriptors[0].file;
/* Its buffer: as open() had it, which made the file. */
static struct lfs_file_config *const config = &file_system.descriptors[0].config;

static bool make_file_alone(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, DISK_CACHE_BYTES) && remember();
}

static bool is_opened(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK && lfs_file_size(lfs, file) == DISK_CACHE_BYTES && bring_back();
}

TIMED_CASE(lfs_file_opencfg, existing, lfs_file_opencfg,
           lfs_file_opencfg(lfs, file, path, LFS_O_RDONLY, config), LITTLEFS,
           .condition = "an existing file, to read", .set_up = make_file_alone, .after = is_opened)

static bool open_large_file(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, 2 * MOST_BYTES) &&
           lfs_file_opencfg(lfs, file, path, LFS_O_RDONLY, config) == LFS_ERR_OK && remember();
}

static bool has_read(const struct series *series, uintptr_t count) {
    return count == series->x && memcmp(buffer, content, count) == 0 && bring_back();
}

TIMED_CASE(lfs_file_read, large_file, lfs_file_read, lfs_file_read(lfs, file, buffer, series->x),
           LITTLEFS, .condition = "from the beginning of a file of 2048 bytes", TRANSFER_SIZE,
           .set_up = open_large_file, .after = has_read)

static bool is_done(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK && bring_back();
}

TIMED_CASE(lfs_file_close, unchanged, lfs_file_close, lfs_file_close(lfs, file), LITTLEFS,
           .condition = "nothing was written", .set_up = open_large_file, .after = is_done)

/* Attributes, which are in the directory's log. */

enum { ATTRIBUTE = 7 };

#define ATTRIBUTE_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(4, 32)

static bool make_plain_file(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, 0) && remember();
}

static bool make_file_with_attribute(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, 0) &&
           lfs_setattr(lfs, path, ATTRIBUTE, content, series->x) == LFS_ERR_OK && remember();
}

static bool is_set(const struct series *series, uintptr_t result) {
    return result == LFS_ERR_OK &&
           (seen(series) ||
            (lfs_getattr(lfs, path, ATTRIBUTE, buffer, MOST_BYTES) == (int)series->x &&
             memcmp(buffer, content, series->x) == 0)) &&
           bring_back();
}

TIMED_CASE(lfs_setattr, new, lfs_setattr, lfs_setattr(lfs, path, ATTRIBUTE, content, series->x),
           LITTLEFS, .condition = "of a file that has none", ATTRIBUTE_SIZE,
           .set_up = make_plain_file, .after = is_set)

TIMED_CASE(lfs_getattr, existing, lfs_getattr,
           lfs_getattr(lfs, path, ATTRIBUTE, buffer, MOST_BYTES), LITTLEFS,
           .condition = "of a file that has one", ATTRIBUTE_SIZE,
           .set_up = make_file_with_attribute, .after = has_read)
