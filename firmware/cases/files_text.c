/* Streams, by characters and lines. */
#include <stdio.h>
#include <string.h>

#include "files_case.h"

/* fgetc(), getc() */

static bool open_only(const struct series *series) {
    return open_stream("r", AS_OPENED) && remember();
}

static bool open_empty(const struct series *series) {
    return open_stream("r", BUFFERED) && remember();
}

static bool open_filled(const struct series *series) {
    return open_stream("r", BUFFERED) && fill_buffer() && remember();
}

static bool is_second(const struct series *series, uintptr_t character) {
    return character == (unsigned char)content[1] && bring_back();
}

static bool open_unbuffered(const struct series *series) {
    return open_stream("r", UNBUFFERED) && remember();
}

static bool open_at_end(const struct series *series) {
    return open_stream("r", BUFFERED) && fseek(stream, 0, SEEK_END) == 0 && remember();
}

static bool is_first(const struct series *series, uintptr_t character) {
    return character == (unsigned char)content[0] && bring_back();
}

static bool is_the_end(const struct series *series, uintptr_t character) {
    return (int)character == EOF && feof(stream) && bring_back();
}

TIMED_CASE(fgetc, file_first, fgetc, fgetc(stream), STREAMS,
           .condition = "fully buffered, the first one: there is no buffer yet",
           .set_up = open_only, .after = is_first)

TIMED_CASE(fgetc, file_refill, fgetc, fgetc(stream), STREAMS,
           .condition = "fully buffered, the buffer is to be filled", .set_up = open_empty,
           .after = is_first)

TIMED_CASE(fgetc, file, fgetc, fgetc(stream), STREAMS,
           .condition = "fully buffered, from the buffer", .set_up = open_filled,
           .after = is_second)

TIMED_CASE(fgetc, file_unbuffered, fgetc, fgetc(stream), STREAMS, .condition = "unbuffered",
           .set_up = open_unbuffered, .after = is_first)

TIMED_CASE(fgetc, file_end, fgetc, fgetc(stream), STREAMS, .condition = "at the end of the file",
           .set_up = open_at_end, .after = is_the_end)

/* fputc() */

static bool open_to_write(const struct series *series) {
    return open_stream("w", BUFFERED) && remember();
}

static bool open_to_write_first(const struct series *series) {
    return open_stream("w", AS_OPENED) && remember();
}

static bool open_to_write_unbuffered(const struct series *series) {
    return open_stream("w", UNBUFFERED) && remember();
}

static bool open_full_buffer(const struct series *series) {
    return open_stream("w", BUFFERED) && fwrite(content, 1, STREAM_BYTES, stream) == STREAM_BYTES &&
           remember();
}

static bool has_put(const struct series *series, uint32_t before, uintptr_t character) {
    return character == (unsigned char)content[before] &&
           (seen(series) || (fclose(stream) == 0 && file_holds(path, 0, before + 1))) &&
           bring_back();
}

static bool has_put_one(const struct series *series, uintptr_t character) {
    return has_put(series, 0, character);
}

static bool has_put_last(const struct series *series, uintptr_t character) {
    return has_put(series, STREAM_BYTES, character);
}

TIMED_CASE(fputc, file, fputc, fputc(content[0], stream), STREAMS,
           .condition = "the buffer of 256 bytes is empty", .set_up = open_to_write,
           .after = has_put_one)

TIMED_CASE(fputc, file_first, fputc, fputc(content[0], stream), STREAMS,
           .condition = "fully buffered, the first one: there is no buffer yet",
           .set_up = open_to_write_first, .after = has_put_one)

TIMED_CASE(fputc, file_full, fputc, fputc(content[STREAM_BYTES], stream), STREAMS,
           .condition = "fully buffered, the buffer of 256 bytes is full",
           .set_up = open_full_buffer, .after = has_put_last)

TIMED_CASE(fputc, file_unbuffered, fputc, fputc(content[0], stream), STREAMS,
           .condition = "unbuffered, a new file", .set_up = open_to_write_unbuffered,
           .after = has_put_one)

/* fgets() */

/* A file of one line, of which one byte was read and that many are left, its end included. */
static bool open_line(const struct series *series, enum buffering buffering) {
    bool opened = open_stream("w+", buffering);
    if (!opened)
        return false;
    content[series->x] = '\n';
    return fwrite(content, 1, series->x + 1, stream) == series->x + 1 &&
           fseek(stream, 0, SEEK_SET) == 0 && getc(stream) == content[0];
}

static bool open_line_buffered(const struct series *series) {
    return open_line(series, BUFFERED) && remember();
}

static bool open_line_unbuffered(const struct series *series) {
    return open_line(series, UNBUFFERED) && remember();
}

static bool has_line(const struct series *series, uintptr_t line) {
    return line == (uintptr_t)buffer && strlen(buffer) == series->x &&
           memcmp(buffer, content + 1, series->x) == 0 && bring_back();
}

TIMED_CASE(fgets, file, fgets, fgets(buffer, MOST_BYTES + 1, stream), STREAMS,
           .condition = "the next 255 bytes are in the buffer", LINE_LENGTH,
           .set_up = open_line_buffered, .after = has_line)

TIMED_CASE(fgets, file_unbuffered, fgets, fgets(buffer, MOST_BYTES + 1, stream), STREAMS,
           .condition = "unbuffered", BY_CHARACTER("length"), .set_up = open_line_unbuffered,
           .after = has_line)

/* fputs() */

static bool open_for_line(const struct series *series, enum buffering buffering) {
    bool opened = open_stream("w", buffering);
    if (opened)
        content[series->x] = 0;
    return opened && remember();
}

static bool open_for_line_buffered(const struct series *series) {
    return open_for_line(series, BUFFERED);
}

static bool open_for_line_unbuffered(const struct series *series) {
    return open_for_line(series, UNBUFFERED);
}

static bool has_put_line(const struct series *series, uintptr_t result) {
    return (int)result >= 0 &&
           (seen(series) || (fclose(stream) == 0 && file_holds(path, 0, series->x))) &&
           bring_back();
}

TIMED_CASE(fputs, file, fputs, fputs(content, stream), STREAMS,
           .condition = "the buffer of 256 bytes is empty", LINE_LENGTH,
           .set_up = open_for_line_buffered, .after = has_put_line)

TIMED_CASE(fputs, file_unbuffered, fputs, fputs(content, stream), STREAMS,
           .condition = "unbuffered, a new file", BY_CHARACTER("length"),
           .set_up = open_for_line_unbuffered, .after = has_put_line)

/* fscanf() */

static int number;
static double fraction;

/* A file of a space, a number and a space, of which the first byte was read. */
static bool open_number(const char *digits) {
    return open_stream("w+", BUFFERED) && fputs(digits, stream) >= 0 && fputc(' ', stream) == ' ' &&
           fseek(stream, 0, SEEK_SET) == 0 && fscanf(stream, "%*c") == 0 && remember();
}

static bool open_integer(const struct series *series) {
    char digits[] = " 123456789";
    digits[series->x + 1] = 0;
    return open_number(digits);
}

static bool open_double(const struct series *series) {
    char digits[] = " 3.1415926535";
    digits[series->x + 1] = 0;
    return sscanf("1.5", "%lf", &fraction) == 1 && open_number(digits);
}

static bool is_one(const struct series *series, uintptr_t found) {
    return found == 1 && bring_back();
}

TIMED_CASE(fscanf, integer, fscanf, fscanf(stream, "%d", &number), STREAMS,
           .condition = "%d, the number is in the buffer", .parameter = "digits", .unit = "digit",
           X_FROM_TO(1, 9), .set_up = open_integer, .after = is_one)

TIMED_CASE(fscanf, double, fscanf, fscanf(stream, "%lf", &fraction), STREAMS,
           .condition = "%lf, the number is in the buffer", .parameter = "length", .unit = "byte",
           X_FROM_TO(1, 11), .set_up = open_double, .after = is_one)
