/* Calls by path: every name of it is looked for in its directory. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files_case.h"

enum { FILE_BYTES = 64 };

static struct stat status;

/* The call succeeded, or failed as it had to. */

static bool opened(uintptr_t number, off_t size) {
    return (int)number == FILES_FIRST_DESCRIPTOR && fstat((int)number, &status) == 0 &&
           status.st_size == size && bring_back();
}

static bool is_open(const struct series *series, uintptr_t number) {
    return opened(number, FILE_BYTES);
}

static bool is_open_and_empty(const struct series *series, uintptr_t number) {
    return opened(number, 0);
}

static bool failed_with(uintptr_t result, int error) {
    return (int)result == -1 && errno == error && bring_back();
}

static bool is_missing(const struct series *series, uintptr_t result) {
    return failed_with(result, ENOENT);
}

static bool is_there_already(const struct series *series, uintptr_t result) {
    return failed_with(result, EEXIST);
}

static bool has_described(const struct series *series, uintptr_t result) {
    return result == 0 && S_ISREG(status.st_mode) && status.st_size == FILE_BYTES && bring_back();
}

static bool is_gone(const struct series *series, uintptr_t result) {
    return result == 0 && (seen(series) || (stat(path, &status) != 0 && errno == ENOENT)) &&
           bring_back();
}

static bool is_directory(const struct series *series, uintptr_t result) {
    return result == 0 && (seen(series) || (stat(path, &status) == 0 && S_ISDIR(status.st_mode))) &&
           bring_back();
}

/* Disks. */

static bool make_parents(const struct series *series) {
    return make_disk() && make_directories(series->x ? series->x : 1) && remember();
}

static bool make_deep_file(const struct series *series) {
    return make_disk() && make_directories(series->x ? series->x : 1) &&
           make_file(path, FILE_BYTES) && remember();
}

static bool make_many(const struct series *series) {
    return make_disk() && make_entries(series->x) && remember();
}

static bool make_sized(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, series->x) && remember();
}

/* open() */

TIMED_CASE(open, existing, open, open(path, O_RDONLY), DESCRIPTORS,
           .condition = "an existing file, to read", PATH_DEPTH, .set_up = make_deep_file,
           .after = is_open)

TIMED_CASE(open, missing, open, open(path, O_RDONLY), DESCRIPTORS, .condition = "no such file",
           PATH_DEPTH, .set_up = make_parents, .after = is_missing)

TIMED_CASE(open, new, open, open(path, O_WRONLY | O_CREAT), DESCRIPTORS,
           .condition = "a new file, to write", PATH_DEPTH, .set_up = make_parents,
           .after = is_open_and_empty)

TIMED_CASE(open, truncated, open, open(path, O_WRONLY | O_TRUNC), DESCRIPTORS,
           .condition = "an existing file, to write it anew", FEW_SIZES, .set_up = make_sized,
           .after = is_open_and_empty)

TIMED_CASE(open, last_entry, open, open(path, O_RDONLY), DESCRIPTORS,
           .condition = "the last made of N files in a directory", ENTRIES, .set_up = make_many,
           .after = is_open_and_empty)

TIMED_CASE(open, exclusive, open, open(path, O_WRONLY | O_CREAT | O_EXCL), DESCRIPTORS,
           .condition = "a file that may not exist and does", .set_up = make_deep_file,
           .after = is_there_already)

static bool open_all(const struct series *series) {
    bool made = make_disk() && make_directories(1) && make_file(path, FILE_BYTES);
    for (int i = 0; i < FILES_OPEN_AT_ONCE; i++)
        made = made && open(path, O_RDONLY) >= 0;
    return made && remember();
}

static bool has_no_descriptor(const struct series *series, uintptr_t result) {
    return failed_with(result, EMFILE);
}

TIMED_CASE(open, no_descriptor, open, open(path, O_RDONLY), DESCRIPTORS,
           .condition = "every descriptor is in use", .set_up = open_all,
           .after = has_no_descriptor)

/* stat() */

TIMED_CASE(stat, existing, stat, stat(path, &status), DESCRIPTORS, .condition = "an existing file",
           PATH_DEPTH, .set_up = make_deep_file, .after = has_described)

TIMED_CASE(stat, missing, stat, stat(path, &status), DESCRIPTORS, .condition = "no such file",
           .set_up = make_parents, .after = is_missing)

/* unlink() */

TIMED_CASE(unlink, existing, unlink, unlink(path), DESCRIPTORS, .condition = "an existing file",
           FEW_SIZES, .set_up = make_sized, .after = is_gone)

TIMED_CASE(unlink, missing, unlink, unlink(path), DESCRIPTORS, .condition = "no such file",
           .set_up = make_parents, .after = is_missing)

static bool make_full_directory(const struct series *series) {
    return make_disk() && make_directories(2) && make_file(path, 0) && remember();
}

static bool is_not_empty(const struct series *series, uintptr_t result) {
    return failed_with(result, ENOTEMPTY);
}

TIMED_CASE(unlink, not_empty, unlink, unlink("d"), DESCRIPTORS,
           .condition = "a directory with a file in it", .set_up = make_full_directory,
           .after = is_not_empty)

/* mkdir() */

TIMED_CASE(mkdir, new, mkdir, mkdir(path, 0777), DESCRIPTORS, .condition = "a new directory",
           PATH_DEPTH, .set_up = make_parents, .after = is_directory)

TIMED_CASE(mkdir, existing, mkdir, mkdir(path, 0777), DESCRIPTORS,
           .condition = "the name is there already", .set_up = make_deep_file,
           .after = is_there_already)

static bool make_full_disk(const struct series *series) {
    return make_disk() && make_directories(1) && fill_disk() && remember();
}

static bool is_full(const struct series *series, uintptr_t result) {
    return failed_with(result, ENOSPC);
}

TIMED_CASE(mkdir, full_disk, mkdir, mkdir(path, 0777), DESCRIPTORS, .condition = "no block is free",
           .set_up = make_full_disk, .after = is_full)

/* rename() */

static bool make_two(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, FILE_BYTES) &&
           make_file("old", 0) && remember();
}

static bool is_renamed(const struct series *series, uintptr_t result) {
    return result == 0 &&
           (seen(series) || (stat(path, &status) != 0 && file_holds("new", 0, FILE_BYTES))) &&
           bring_back();
}

TIMED_CASE(rename, new, rename, rename(path, "new"), DESCRIPTORS,
           .condition = "to a new name in the same directory", .set_up = make_deep_file,
           .after = is_renamed)

static bool has_replaced(const struct series *series, uintptr_t result) {
    return result == 0 &&
           (seen(series) || (stat(path, &status) != 0 && file_holds("old", 0, FILE_BYTES))) &&
           bring_back();
}

TIMED_CASE(rename, replaces, rename, rename(path, "old"), DESCRIPTORS,
           .condition = "to the name of another file, which goes", .set_up = make_two,
           .after = has_replaced)
