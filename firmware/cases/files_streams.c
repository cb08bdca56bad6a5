/* Streams: opened, read and written in blocks and lines. Fully buffered ones have the library's own
 * buffer (newlib-nano: BUFSIZ, 1024 bytes, from its heap at the first transfer), which is there
 * unless the condition says so. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files_case.h"

/* fopen() */

static bool make_deep_file(const struct series *series) {
    return make_disk() && make_directories(series->x) && make_file(path, MOST_BYTES) &&
           settle_streams() && remember();
}

static bool make_parents(const struct series *series) {
    return make_disk() && make_directories(series->x ? series->x : 1) && settle_streams() &&
           remember();
}

static bool is_stream(const struct series *series, uintptr_t opened) {
    return opened != 0 && fileno((FILE *)opened) == FILES_FIRST_DESCRIPTOR && bring_back();
}

static bool is_missing(const struct series *series, uintptr_t opened) {
    return opened == 0 && errno == ENOENT && bring_back();
}

TIMED_CASE(fopen, existing, fopen, fopen(path, "r"), STREAMS,
           .condition = "an existing file, to read", PATH_DEPTH, .set_up = make_deep_file,
           .after = is_stream)

TIMED_CASE(fopen, missing, fopen, fopen(path, "r"), STREAMS, .condition = "no such file",
           .set_up = make_parents, .after = is_missing)

TIMED_CASE(fopen, new, fopen, fopen(path, "w"), STREAMS, .condition = "a new file, to write",
           .set_up = make_parents, .after = is_stream)

/* fclose() */

static bool is_done(const struct series *series, uintptr_t result) {
    return result == 0 && bring_back();
}

static bool is_on_disk(const struct series *series, uintptr_t result) {
    return result == 0 && (seen(series) || file_holds(path, 0, series->x)) && bring_back();
}

static bool open_only(const struct series *series) {
    return open_stream("r", AS_OPENED) && remember();
}

static bool open_and_read(const struct series *series) {
    return open_stream("r", BUFFERED) && remember();
}

static bool open_and_write(const struct series *series) {
    return open_stream("w+", BUFFERED) && fwrite(content, 1, series->x, stream) == series->x &&
           remember();
}

TIMED_CASE(fclose, read, fclose, fclose(stream), STREAMS, .condition = "a file that was read",
           .set_up = open_and_read, .after = is_done)

TIMED_CASE(fclose, written, fclose, fclose(stream), STREAMS,
           .condition = "that much is in the buffer of a new file", BUFFERED_SIZE,
           .set_up = open_and_write, .after = is_on_disk)

/* fdopen(), fileno() */

static int file;

static bool open_descriptor(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, MOST_BYTES) && settle_streams() &&
           (file = open(path, O_RDONLY)) >= 0 && remember();
}

TIMED_CASE(fdopen, open, fdopen, fdopen(file, "r"), STREAMS, .condition = "an open descriptor",
           .set_up = open_descriptor, .after = is_stream)

static bool is_first_descriptor(const struct series *series, uintptr_t number) {
    return number == FILES_FIRST_DESCRIPTOR && bring_back();
}

TIMED_CASE(fileno, open, fileno, fileno(stream), STREAMS, .condition = "an open stream",
           .set_up = open_only, .after = is_first_descriptor)

/* fread() */

static bool open_unbuffered(const struct series *series) {
    return open_stream("r", UNBUFFERED) && remember();
}

static bool has_read_on(const struct series *series, uintptr_t count) {
    return count == series->x && memcmp(buffer, content + 1, count) == 0 && bring_back();
}

static bool open_filled(const struct series *series) {
    return open_stream("r", BUFFERED) && fill_buffer() && remember();
}

static bool has_read(const struct series *series, uintptr_t count) {
    return count == series->x && memcmp(buffer, content, count) == 0 && bring_back();
}

TIMED_CASE(fread, file_first, fread, fread(buffer, 1, series->x, stream), STREAMS,
           .condition = "fully buffered, the first one: there is no buffer yet", TRANSFER_SIZE,
           .set_up = open_only, .after = has_read)

TIMED_CASE(fread, file, fread, fread(buffer, 1, series->x, stream), STREAMS,
           .condition = "the next 255 bytes are in the buffer", TRANSFER_SIZE,
           .set_up = open_filled, .after = has_read_on)

TIMED_CASE(fread, file_unbuffered, fread, fread(buffer, 1, series->x, stream), STREAMS,
           .condition = "unbuffered", TRANSFER_SIZE, .set_up = open_unbuffered, .after = has_read)

static bool open_at_end(const struct series *series) {
    return open_stream("r", BUFFERED) && fseek(stream, 0, SEEK_END) == 0 && remember();
}

TIMED_CASE(fread, file_end, fread, fread(buffer, 1, MOST_BYTES, stream), STREAMS,
           .condition = "at the end of the file", .set_up = open_at_end, .after = is_done)

/* fwrite() */

static bool open_to_write(const struct series *series) {
    return open_stream("w", BUFFERED) && remember();
}

static bool open_to_write_unbuffered(const struct series *series) {
    return open_stream("w", UNBUFFERED) && remember();
}

static bool has_written(const struct series *series, uintptr_t count) {
    return count == series->x &&
           (seen(series) || (fclose(stream) == 0 && file_holds(path, 0, count))) && bring_back();
}

TIMED_CASE(fwrite, file, fwrite, fwrite(content, 1, series->x, stream), STREAMS,
           .condition = "the buffer of 256 bytes is empty", TRANSFER_SIZE, .set_up = open_to_write,
           .after = has_written)

TIMED_CASE(fwrite, file_unbuffered, fwrite, fwrite(content, 1, series->x, stream), STREAMS,
           .condition = "unbuffered, a new file", BY_CHARACTER("size"),
           .set_up = open_to_write_unbuffered, .after = has_written)

static bool open_on_full_disk(const struct series *series) {
    return make_disk() && fill_disk() && settle_streams() && (stream = fopen("f", "w")) != NULL &&
           setvbuf(stream, NULL, _IONBF, 0) == 0 && remember();
}

static bool is_full(const struct series *series, uintptr_t count) {
    return count < MOST_BYTES && errno == ENOSPC && bring_back();
}

TIMED_CASE(fwrite, full_disk, fwrite, fwrite(content, 1, MOST_BYTES, stream), STREAMS,
           .condition = "unbuffered, no block is free", .set_up = open_on_full_disk,
           .after = is_full)

/* fflush() */

static bool is_flushed(const struct series *series, uintptr_t result) {
    return result == 0 &&
           (seen(series) || (fclose(stream) == 0 && file_holds(path, 0, series->x))) &&
           bring_back();
}

TIMED_CASE(fflush, file, fflush, fflush(stream), STREAMS,
           .condition = "that much is in the buffer of a new file", BUFFERED_SIZE,
           .set_up = open_and_write, .after = is_flushed)

/* fseek(), ftell() */

enum { HALF = MOST_BYTES / 2 };

static bool is_at(uintptr_t result, uint32_t offset) {
    return result == 0 && getc(stream) == content[offset] && bring_back();
}

static bool is_at_half_and_one(const struct series *series, uintptr_t result) {
    return is_at(result, HALF + 1);
}

static bool is_at_half(const struct series *series, uintptr_t result) {
    return is_at(result, HALF);
}

TIMED_CASE(fseek, set, fseek, fseek(stream, HALF, SEEK_SET), STREAMS,
           .condition = "from the file's beginning, nothing read yet", .set_up = open_only,
           .after = is_at_half)

TIMED_CASE(fseek, set_in_buffer, fseek, fseek(stream, HALF, SEEK_SET), STREAMS,
           .condition = "from the file's beginning, to what is in the buffer",
           .set_up = open_filled, .after = is_at_half)

TIMED_CASE(fseek, cur, fseek, fseek(stream, HALF, SEEK_CUR), STREAMS,
           .condition = "from where the file is read, to what is in the buffer",
           .set_up = open_filled, .after = is_at_half_and_one)

static bool open_sized(const struct series *series) {
    return make_disk() && make_directories(1) && make_file(path, series->x) && settle_streams() &&
           (stream = fopen(path, "r")) != NULL && remember();
}

static bool is_at_the_end(const struct series *series, uintptr_t result) {
    return result == 0 && ftell(stream) == (long)series->x && bring_back();
}

TIMED_CASE(fseek, end, fseek, fseek(stream, 0, SEEK_END), STREAMS,
           .condition = "from the file's end, nothing read yet", FILE_SIZE, .set_up = open_sized,
           .after = is_at_the_end)

static bool is_one(const struct series *series, uintptr_t position) {
    return position == 1 && bring_back();
}

TIMED_CASE(ftell, read, ftell, ftell(stream), STREAMS, .condition = "part of the buffer was read",
           .set_up = open_filled, .after = is_one)

/* setvbuf() */

static bool is_unbuffered(const struct series *series, uintptr_t result) {
    return result == 0 && getc(stream) == content[0] && lseek(fileno(stream), 0, SEEK_CUR) == 1 &&
           bring_back();
}

static bool is_buffered(const struct series *series, uintptr_t result) {
    return result == 0 && getc(stream) == content[0] && lseek(fileno(stream), 0, SEEK_CUR) > 1 &&
           bring_back();
}

TIMED_CASE(setvbuf, full, setvbuf, setvbuf(stream, NULL, _IOFBF, BUFSIZ), STREAMS,
           .condition = "fully buffered, the library makes the buffer", .set_up = open_only,
           .after = is_buffered)

TIMED_CASE(setvbuf, none, setvbuf, setvbuf(stream, NULL, _IONBF, 0), STREAMS,
           .condition = "unbuffered", .set_up = open_only, .after = is_unbuffered)
