/* Files through descriptors, in the program's own folder; its file system is in the conditions. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "posix_case.h"

enum { MODE = 0600, FOLDER_MODE = 0700, DEEPEST = 16 };

static const char name[] = "file", other_name[] = "other";
static int file = -1;
static struct stat status;

#define OVER_BYTES X_FROM_TO(1, MOST_BYTES), .parameter = "size of the block", .unit = "byte"

static bool make(const struct series *series) {
    return MADE(file = open(name, O_RDWR | O_CREAT | O_TRUNC, MODE));
}

static bool make_whole(const struct series *series) {
    return make(series) && MADE(write(file, bytes_there, MOST_BYTES)) &&
           MADE(lseek(file, 0, SEEK_SET));
}

static bool make_closed(const struct series *series) {
    return make(series) && MADE(close(file));
}

static bool close_opened(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(close((int)result));
}

static bool unlink_opened(const struct series *series, uintptr_t result) {
    return close_opened(series, result) && MADE(unlink(name));
}

static bool open_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(file = open(name, O_RDWR));
}

static bool make_again(const struct series *series, uintptr_t result) {
    return was_made(series, result) && make_closed(series);
}

static bool was_missing(const struct series *series, uintptr_t result) {
    return (int)result == -1 && errno == ENOENT;
}

static bool go_back(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(lseek(file, 0, SEEK_SET));
}

static bool went_all(const struct series *series, uintptr_t result) {
    return result == series->x && go_back(series, result);
}

static void unlink_file(const struct series *series) {
    unlink(name);
}

static void close_and_unlink(const struct series *series) {
    close(file);
    unlink_file(series);
}

/* Open and close. */

TIMED_CASE(open, existing, open, open(name, O_RDWR), LIBRARY, .condition = "the file exists",
           .set_up = make_closed, .after = close_opened, .tear_down = unlink_file)

TIMED_CASE(open, create, open, open(name, O_RDWR | O_CREAT | O_EXCL, MODE), LIBRARY,
           .condition = "a new file", .after = unlink_opened, .tear_down = unlink_file)

TIMED_CASE(open, missing, open, open(other_name, O_RDWR), LIBRARY,
           .condition = "there is no such file: ENOENT", .after = was_missing)

TIMED_CASE(close, file, close, close(file), LIBRARY, .condition = "a file, nothing written",
           .set_up = make, .after = open_again, .tear_down = close_and_unlink)

TIMED_CASE(dup, file, dup, dup(file), LIBRARY, .condition = "a file", .set_up = make,
           .after = close_opened, .tear_down = close_and_unlink)

/* Depth: folder in folder, and the file in the last one. */

static char path[2 * DEEPEST + sizeof name];

static bool make_deep(const struct series *series) {
    path[0] = 0;
    for (uint32_t i = 0; i < series->x; i++) {
        strcat(path, "d");
        if (mkdir(path, FOLDER_MODE) != 0 && errno != EEXIST)
            return made("mkdir", -1);
        strcat(path, "/");
    }
    strcat(path, name);
    return MADE(file = open(path, O_RDWR | O_CREAT, MODE)) && MADE(close(file));
}

static void unlink_deep(const struct series *series) {
    unlink(path);
}

TIMED_CASE(open, depth, open, open(path, O_RDWR), LIBRARY,
           .condition = "the file exists, x folders deep", X_FROM_TO(0, 16),
           .parameter = "depth of the path", .unit = "folder", .set_up = make_deep,
           .after = close_opened, .tear_down = unlink_deep)

/* Read, write, seek. */

TIMED_CASE(read, file, read, read(file, bytes_there, series->x), LIBRARY,
           .condition = "x bytes at the beginning of a file", OVER_BYTES, .set_up = make_whole,
           .after = went_all, .tear_down = close_and_unlink)

TIMED_CASE(write, file, write, write(file, bytes_there, series->x), LIBRARY,
           .condition = "x bytes over others at the beginning of a file", OVER_BYTES,
           .set_up = make_whole, .after = went_all, .tear_down = close_and_unlink)

static bool cut_again(const struct series *series, uintptr_t result) {
    return went_all(series, result) && MADE(ftruncate(file, 0));
}

TIMED_CASE(write, file_grows, write, write(file, bytes_there, series->x), LIBRARY,
           .condition = "x bytes at the end of an empty file", OVER_BYTES, .set_up = make,
           .after = cut_again, .tear_down = close_and_unlink)

static bool make_at_end(const struct series *series) {
    return make_whole(series) && MADE(lseek(file, 0, SEEK_END));
}

static bool was_nothing(const struct series *series, uintptr_t result) {
    return result == 0;
}

TIMED_CASE(read, file_end, read, read(file, bytes_there, 1), LIBRARY,
           .condition = "at the end of a file: nothing", .set_up = make_at_end,
           .after = was_nothing, .tear_down = close_and_unlink)

TIMED_CASE(lseek, set, lseek, lseek(file, 1, SEEK_SET), LIBRARY, .condition = "to byte 1",
           .set_up = make_whole, .after = go_back, .tear_down = close_and_unlink)

TIMED_CASE(lseek, end, lseek, lseek(file, 0, SEEK_END), LIBRARY, .condition = "to the end",
           .set_up = make_whole, .after = go_back, .tear_down = close_and_unlink)

/* Names and what is known of a file. */

TIMED_CASE(stat, existing, stat, stat(name, &status), LIBRARY, .condition = "the file exists",
           .set_up = make_closed, .after = was_made, .tear_down = unlink_file)

TIMED_CASE(stat, missing, stat, stat(other_name, &status), LIBRARY,
           .condition = "there is no such file: ENOENT", .after = was_missing)

TIMED_CASE(fstat, file, fstat, fstat(file, &status), LIBRARY, .condition = "a file", .set_up = make,
           .after = was_made, .tear_down = close_and_unlink)

TIMED_CASE(unlink, closed, unlink, unlink(name), LIBRARY, .condition = "an empty file, not open",
           .set_up = make_closed, .after = make_again, .tear_down = unlink_file)

static bool name_back(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(rename(other_name, name));
}

TIMED_CASE(rename, new, rename, rename(name, other_name), LIBRARY,
           .condition = "to a name that is free, in the same folder", .set_up = make_closed,
           .after = name_back, .tear_down = unlink_file)

static bool remove_folder(const struct series *series, uintptr_t result) {
    return was_made(series, result) && MADE(rmdir(other_name));
}

TIMED_CASE(mkdir, new, mkdir, mkdir(other_name, FOLDER_MODE), LIBRARY, .condition = "a free name",
           .after = remove_folder)
