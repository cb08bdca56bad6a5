/* Calls on an open file. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files_case.h"

enum { NO_DESCRIPTOR = 99, HALF = MOST_BYTES / 2 };

static int file;

static bool make_and_open(uint32_t bytes, int flags) {
    return make_disk() && make_directories(1) && make_file(path, bytes) &&
           (file = open(path, flags)) >= 0;
}

static bool open_full_size(const struct series *series) {
    return make_and_open(MOST_BYTES, O_RDONLY) && remember();
}

static bool open_sized(const struct series *series) {
    return make_and_open(series->x, O_RDONLY) && remember();
}

static bool open_new(const struct series *series) {
    return make_disk() && make_directories(1) && (file = open(path, O_RDWR | O_CREAT)) >= 0 &&
           remember();
}

static bool failed_with(uintptr_t result, int error) {
    return (int)result == -1 && errno == error && bring_back();
}

static bool is_not_open(const struct series *series, uintptr_t result) {
    return failed_with(result, EBADF);
}

static bool is_full(const struct series *series, uintptr_t result) {
    return failed_with(result, ENOSPC);
}

static bool is_done(const struct series *series, uintptr_t result) {
    return result == 0 && bring_back();
}

/* read() */

static bool has_read(const struct series *series, uintptr_t count) {
    return count == series->x && memcmp(buffer, content, count) == 0 && bring_back();
}

static bool open_large(const struct series *series) {
    return make_and_open(2 * MOST_BYTES, O_RDONLY) && remember();
}

TIMED_CASE(read, large_file, read, read(file, buffer, series->x), DESCRIPTORS,
           .condition = "from the beginning of a file of 2048 bytes", TRANSFER_SIZE,
           .set_up = open_large, .after = has_read)

TIMED_CASE(read, whole_file, read, read(file, buffer, series->x), DESCRIPTORS,
           .condition = "a file of that size, whole", TRANSFER_SIZE, .set_up = open_sized,
           .after = has_read)

static bool has_read_first(const struct series *series, uintptr_t count) {
    return count == 1 && buffer[0] == content[0] && bring_back();
}

static bool has_read_last(const struct series *series, uintptr_t count) {
    return count == 1 && buffer[0] == content[(series->x - 1) % MOST_BYTES] && bring_back();
}

static bool open_at_last(const struct series *series) {
    return make_and_open(series->x, O_RDONLY) && lseek(file, -1, SEEK_END) >= 0 && remember();
}

TIMED_CASE(read, first_byte, read, read(file, buffer, 1), DESCRIPTORS,
           .condition = "the first byte of a file", .parameter = "file size", .unit = "byte",
           X_FROM_TO(32, 8192), .set_up = open_sized, .after = has_read_first)

TIMED_CASE(read, last_byte, read, read(file, buffer, 1), DESCRIPTORS,
           .condition = "the last byte of a file", .parameter = "file size", .unit = "byte",
           X_FROM_TO(32, 8192), .set_up = open_at_last, .after = has_read_last)

static bool open_cached(const struct series *series) {
    return make_and_open(MOST_BYTES, O_RDONLY) && read(file, buffer, 1) == 1 && remember();
}

static bool has_read_second(const struct series *series, uintptr_t count) {
    return count == 1 && buffer[0] == content[1] && bring_back();
}

TIMED_CASE(read, cached, read, read(file, buffer, 1), DESCRIPTORS,
           .condition = "a byte of what littlefs holds in its cache", .set_up = open_cached,
           .after = has_read_second)

static bool open_at_end(const struct series *series) {
    return make_and_open(MOST_BYTES, O_RDONLY) && lseek(file, 0, SEEK_END) == MOST_BYTES &&
           remember();
}

TIMED_CASE(read, at_end, read, read(file, buffer, MOST_BYTES), DESCRIPTORS,
           .condition = "at the end of the file", .set_up = open_at_end, .after = is_done)

TIMED_CASE(read, not_open, read, read(NO_DESCRIPTOR, buffer, MOST_BYTES), DESCRIPTORS,
           .condition = "no such descriptor", .set_up = open_full_size, .after = is_not_open)

/* write() */

static bool has_written(const struct series *series, uintptr_t count) {
    return count == series->x &&
           (seen(series) || (close(file) == 0 && file_holds(path, 0, count))) && bring_back();
}

TIMED_CASE(write, new_file, write, write(file, content, series->x), DESCRIPTORS,
           .condition = "to a new file", TRANSFER_SIZE, .set_up = open_new, .after = has_written)

static bool open_to_overwrite(const struct series *series) {
    return make_and_open(MOST_BYTES, O_RDWR) && remember();
}

static bool has_overwritten(const struct series *series, uintptr_t count) {
    return count == series->x &&
           (seen(series) || (close(file) == 0 && file_holds(path, 0, MOST_BYTES))) && bring_back();
}

TIMED_CASE(write, overwrites, write, write(file, content, series->x), DESCRIPTORS,
           .condition = "over the beginning of a file of 1024 bytes", TRANSFER_SIZE,
           .set_up = open_to_overwrite, .after = has_overwritten)

static bool open_to_append(const struct series *series) {
    return make_and_open(HALF, O_RDWR | O_APPEND) && remember();
}

static bool has_appended(const struct series *series, uintptr_t count) {
    return count == series->x &&
           (seen(series) || (close(file) == 0 && file_holds(path, HALF, count))) && bring_back();
}

TIMED_CASE(write, appends, write, write(file, content, series->x), DESCRIPTORS,
           .condition = "behind a file of 512 bytes (O_APPEND)", TRANSFER_SIZE,
           .set_up = open_to_append, .after = has_appended)

static bool open_on_full_disk(const struct series *series) {
    return make_disk() && make_directories(1) && fill_disk() &&
           (file = open(path, O_WRONLY | O_CREAT)) >= 0 && remember();
}

TIMED_CASE(write, full_disk, write, write(file, content, MOST_BYTES), DESCRIPTORS,
           .condition = "no block is free", .set_up = open_on_full_disk, .after = is_full)

TIMED_CASE(write, read_only, write, write(file, content, MOST_BYTES), DESCRIPTORS,
           .condition = "to a file open to read", .set_up = open_full_size, .after = is_not_open)

/* lseek() */

static bool is_at(uintptr_t position, uint32_t expected) {
    return position == expected && lseek(file, 0, SEEK_CUR) == (off_t)expected && bring_back();
}

static bool is_at_half(const struct series *series, uintptr_t position) {
    return is_at(position, HALF);
}

static bool is_at_half_and_one(const struct series *series, uintptr_t position) {
    return is_at(position, HALF + 1);
}

static bool is_at_the_end(const struct series *series, uintptr_t position) {
    return is_at(position, series->x);
}

TIMED_CASE(lseek, set, lseek, lseek(file, HALF, SEEK_SET), DESCRIPTORS,
           .condition = "from the file's beginning, nothing read yet", .set_up = open_full_size,
           .after = is_at_half)

TIMED_CASE(lseek, cur, lseek, lseek(file, HALF, SEEK_CUR), DESCRIPTORS,
           .condition = "from where the file is read", .set_up = open_cached,
           .after = is_at_half_and_one)

TIMED_CASE(lseek, end, lseek, lseek(file, 0, SEEK_END), DESCRIPTORS,
           .condition = "from the file's end, nothing read yet", FILE_SIZE, .set_up = open_sized,
           .after = is_at_the_end)

static bool open_and_write(const struct series *series) {
    return make_disk() && make_directories(1) && (file = open(path, O_RDWR | O_CREAT)) >= 0 &&
           write(file, content, series->x) == (int)series->x && remember();
}

static bool is_at_beginning(const struct series *series, uintptr_t position) {
    return position == 0 &&
           (seen(series) || (close(file) == 0 && file_holds(path, 0, series->x))) && bring_back();
}

TIMED_CASE(lseek, written, lseek, lseek(file, 0, SEEK_SET), DESCRIPTORS,
           .condition = "back to the beginning of what was written", TRANSFER_SIZE,
           .set_up = open_and_write, .after = is_at_beginning)

static bool is_invalid(const struct series *series, uintptr_t position) {
    return failed_with(position, EINVAL);
}

TIMED_CASE(lseek, before_beginning, lseek, lseek(file, -1, SEEK_SET), DESCRIPTORS,
           .condition = "to before the beginning", .set_up = open_full_size, .after = is_invalid)

/* fstat() */

static struct stat status;

static bool has_described(const struct series *series, uintptr_t result) {
    return result == 0 && status.st_size == MOST_BYTES && bring_back();
}

TIMED_CASE(fstat, open, fstat, fstat(file, &status), DESCRIPTORS, .condition = "an open file",
           .set_up = open_full_size, .after = has_described)

/* fsync(), and close(), which does the same first */

static bool is_on_disk(const struct series *series, uintptr_t result) {
    return result == 0 && (seen(series) || file_holds(path, 0, series->x)) && bring_back();
}

static bool open_and_write_block(const struct series *series) {
    return open_and_write(&(struct series){.x = DISK_BLOCK_BYTES});
}

static bool is_block_on_disk(const struct series *series, uintptr_t result) {
    return is_on_disk(&(struct series){.x = DISK_BLOCK_BYTES, .index = series->index}, result);
}

TIMED_CASE(fsync, unchanged, fsync, fsync(file), DESCRIPTORS, .condition = "nothing was written",
           .set_up = open_to_overwrite, .after = is_done)

TIMED_CASE(fsync, written, fsync, fsync(file), DESCRIPTORS,
           .condition = "256 bytes were written to a new file", .set_up = open_and_write_block,
           .after = is_block_on_disk)

TIMED_CASE(close, unchanged, close, close(file), DESCRIPTORS, .condition = "nothing was written",
           .set_up = open_full_size, .after = is_done)

TIMED_CASE(close, written, close, close(file), DESCRIPTORS,
           .condition = "that much was written to a new file", TRANSFER_SIZE,
           .set_up = open_and_write, .after = is_on_disk)

TIMED_CASE(close, not_open, close, close(NO_DESCRIPTOR), DESCRIPTORS,
           .condition = "no such descriptor", .set_up = open_full_size, .after = is_not_open)

/* As a product writes again and again: nothing is brought back, the log of the directory grows. */

static bool is_longer(const struct series *series, uintptr_t result) {
    return result == 0 && write(file, content, 1) == 1;
}

static bool open_and_write_one(const struct series *series) {
    return make_disk() && make_directories(1) && (file = open(path, O_RDWR | O_CREAT)) >= 0 &&
           write(file, content, 1) == 1;
}

TIMED_CASE(fsync, again_and_again, fsync, fsync(file), DESCRIPTORS,
           .condition = "one more byte was written since the last one",
           .set_up = open_and_write_one, .after = is_longer)
