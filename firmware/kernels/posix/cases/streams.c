/* Files through streams: C's stdio over what files.c times, and the two of POSIX between them. */
#include <fcntl.h>
#include <stdio.h>

#include "posix_case.h"

#define C_LIBRARY .library = "C"

enum { MODE = 0600, LINE_BYTES = 64 };

static const char name[] = "stream";
static FILE *stream;
static int file = -1;
static char line[LINE_BYTES];

#define OVER_BYTES X_FROM_TO(1, MOST_BYTES), .parameter = "size of the block", .unit = "byte"

static bool opened(const char *mode) {
    stream = fopen(name, mode);
    return done("fopen", stream == NULL ? errno : 0);
}

static bool make_empty(const struct series *series) {
    return opened("w+");
}

static bool make_unbuffered(const struct series *series) {
    return opened("w+") && setvbuf(stream, NULL, _IONBF, 0) == 0;
}

/* Lines of 63 characters. */
static bool make_whole(const struct series *series) {
    for (uint32_t i = 0; i < MOST_BYTES; i++)
        bytes_there[i] = i % LINE_BYTES == LINE_BYTES - 2 ? '\n' : 'a';
    memset(line, 'a', LINE_BYTES - 2);
    line[LINE_BYTES - 2] = '\n';
    return make_empty(series) && fwrite(bytes_there, 1, MOST_BYTES, stream) == MOST_BYTES &&
           fflush(stream) == 0 && fseek(stream, 0, SEEK_SET) == 0;
}

static bool make_closed(const struct series *series) {
    bool is_there = make_empty(series);
    if (is_there)
        fclose(stream);
    stream = NULL;
    return is_there;
}

static void close_and_unlink(const struct series *series) {
    if (stream != NULL)
        fclose(stream);
    stream = NULL;
    unlink(name);
}

static bool go_back(const struct series *series, uintptr_t result) {
    return fseek(stream, 0, SEEK_SET) == 0;
}

static bool went_all(const struct series *series, uintptr_t result) {
    return result == series->x && go_back(series, result);
}

static bool was_no_end(const struct series *series, uintptr_t result) {
    return (int)result != EOF;
}

/* Open and close. */

static bool close_opened(const struct series *series, uintptr_t result) {
    return done(NULL, result == 0 ? errno : 0) && fclose((FILE *)result) == 0;
}

TIMED_CASE(fopen, existing, fopen, fopen(name, "r+"), C_LIBRARY, .condition = "the file exists",
           .set_up = make_closed, .after = close_opened, .tear_down = close_and_unlink)

static bool open_again(const struct series *series, uintptr_t result) {
    return (int)result == 0 && opened("r+");
}

TIMED_CASE(fclose, clean, fclose, fclose(stream), C_LIBRARY, .condition = "nothing to write",
           .set_up = make_empty, .after = open_again, .tear_down = close_and_unlink)

static bool open_descriptor(const struct series *series) {
    return MADE(file = open(name, O_RDWR | O_CREAT, MODE));
}

static bool close_and_open(const struct series *series, uintptr_t result) {
    return close_opened(series, result) && open_descriptor(series);
}

static void close_descriptor(const struct series *series) {
    close(file);
    unlink(name);
}

TIMED_CASE(fdopen, file, fdopen, fdopen(file, "r+"), LIBRARY, .condition = "a file",
           .set_up = open_descriptor, .after = close_and_open, .tear_down = close_descriptor)

TIMED_CASE(fileno, file, fileno, fileno(stream), LIBRARY, .condition = "a file",
           .set_up = make_empty, .after = was_made, .tear_down = close_and_unlink)

/* Blocks. */

TIMED_CASE(fread, buffered, fread, fread(bytes_there, 1, series->x, stream), C_LIBRARY,
           .condition = "x bytes at the beginning of a file, buffered", OVER_BYTES,
           .set_up = make_whole, .after = went_all, .tear_down = close_and_unlink)

static bool flush_and_go_back(const struct series *series, uintptr_t result) {
    return result == series->x && fflush(stream) == 0 && go_back(series, result);
}

TIMED_CASE(fwrite, buffered, fwrite, fwrite(bytes_there, 1, series->x, stream), C_LIBRARY,
           .condition = "x bytes over others at the beginning of a file, buffered", OVER_BYTES,
           .set_up = make_whole, .after = flush_and_go_back, .tear_down = close_and_unlink)

TIMED_CASE(fwrite, unbuffered, fwrite, fwrite(bytes_there, 1, series->x, stream), C_LIBRARY,
           .condition = "x bytes at the beginning of a file, unbuffered", OVER_BYTES,
           .set_up = make_unbuffered, .after = went_all, .tear_down = close_and_unlink)

/* Characters and lines. */

static bool make_and_begin(const struct series *series) {
    return make_whole(series) && fgetc(stream) != EOF;
}

TIMED_CASE(fgetc, buffered, fgetc, fgetc(stream), C_LIBRARY,
           .condition = "fully buffered, in the buffer for the most part", .set_up = make_and_begin,
           .after = was_no_end, .tear_down = close_and_unlink)

TIMED_CASE(fputc, buffered, fputc, fputc('a', stream), C_LIBRARY,
           .condition = "fully buffered, space in the buffer for the most part",
           .set_up = make_empty, .after = was_no_end, .tear_down = close_and_unlink)

TIMED_CASE(fputc, unbuffered, fputc, fputc('a', stream), C_LIBRARY, .condition = "unbuffered",
           .set_up = make_unbuffered, .after = was_no_end, .tear_down = close_and_unlink)

static bool was_line(const struct series *series, uintptr_t result) {
    return result != 0 && go_back(series, result);
}

TIMED_CASE(fgets, buffered, fgets, fgets(bytes_there, LINE_BYTES, stream), C_LIBRARY,
           .condition = "a line of 63 bytes at the beginning of a file, buffered",
           .set_up = make_whole, .after = was_line, .tear_down = close_and_unlink)

TIMED_CASE(fputs, buffered, fputs, fputs(line, stream), C_LIBRARY,
           .condition = "63 bytes, fully buffered, space for the most part", .set_up = make_whole,
           .after = was_no_end, .tear_down = close_and_unlink)

/* Position and buffer. */

static bool was_zero(const struct series *series, uintptr_t result) {
    return (int)result == 0;
}

TIMED_CASE(fseek, set, fseek, fseek(stream, 1, SEEK_SET), C_LIBRARY,
           .condition = "to byte 1, nothing to write", .set_up = make_whole, .after = was_zero,
           .tear_down = close_and_unlink)

TIMED_CASE(fseek, end, fseek, fseek(stream, 0, SEEK_END), C_LIBRARY,
           .condition = "to the end, nothing to write", .set_up = make_whole, .after = was_zero,
           .tear_down = close_and_unlink)

TIMED_CASE(ftell, begin, ftell, ftell(stream), C_LIBRARY, .condition = "at the beginning",
           .set_up = make_whole, .after = was_made, .tear_down = close_and_unlink)

static bool make_written(const struct series *series) {
    return make_empty(series) && fputc('a', stream) != EOF;
}

static bool write_again(const struct series *series, uintptr_t result) {
    return (int)result == 0 && fputc('a', stream) != EOF;
}

TIMED_CASE(fflush, byte, fflush, fflush(stream), C_LIBRARY, .condition = "one byte to write",
           .set_up = make_written, .after = write_again, .tear_down = close_and_unlink)
