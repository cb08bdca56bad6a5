/* stdio.h: streams over a device that takes all and gives all, buffered by the caller's buffer,
 * where the library has buffers, or not at all. */
#include <stdio.h>
#include <string.h>

#include "device_stream.h"
#include "library_case.h"

#undef putc
#undef getc
#undef fileno
#undef feof
#undef ferror

enum { BUFFER = 64, LONGEST = 128 };

#define BY_LENGTH .parameter = "length", .unit = "byte", X_FROM_TO(1, 64)
#define BY_SMALL_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(1, 64)
#define BY_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(1, LONGEST)

static FILE *stream;
static char *buffer, *data;

static uint32_t stream_bytes(const struct series *series) {
    return 2048;
}

/* The stream has written or read one byte already: its first transfer is behind it. */
static bool open_stream(const char *mode, int buffering) {
    buffer = arena_take(BUFFER);
    data = arena_take(LONGEST + 8);
    if (data == NULL || (stream = open_device(mode)) == NULL)
        return false;
    memset(data, 'a', LONGEST);
    data[LONGEST] = 0;
    return set_buffer(stream, buffering == _IONBF ? NULL : buffer, buffering, BUFFER);
}

#define OPENS(hook, mode, buffering, first)         \
    static bool hook(const struct series *series) { \
        if (!open_stream(mode, buffering))          \
            return false;                           \
        data[series->x] = 0;                        \
        return first;                               \
    }

#if STREAMS_HAVE_BUFFERS
OPENS(open_to_write, "w", _IOFBF, fputc('a', stream) == 'a' && fflush(stream) == 0)
#endif
OPENS(open_to_write_through, "w", _IONBF, fputc('a', stream) == 'a')
#if STREAMS_HAVE_BUFFERS
OPENS(open_to_read, "r", _IOFBF, fgetc(stream) != EOF)
#endif
OPENS(open_to_read_through, "r", _IONBF, fgetc(stream) != EOF)

static void close_stream(const struct series *series) {
    if (stream != NULL)
        fclose(stream);
    stream = NULL;
}

#define STREAM LIBRARY, .bytes = stream_bytes, .tear_down = close_stream

#if STREAMS_HAVE_BUFFERS
/* Flushes the written bytes: each call meets an empty buffer. */
static bool flush(const struct series *series, uintptr_t result) {
    return (intptr_t)result != EOF && fflush(stream) == 0;
}
#endif

AFTER(is_no_error, (intptr_t)result != EOF)
AFTER(is_all, result == series->x)

#if STREAMS_HAVE_BUFFERS
TIMED_CASE(putc, buffered, putc, putc('a', stream), STREAM,
           .condition = "fully buffered, the buffer is empty", .set_up = open_to_write,
           .after = flush)
#endif
TIMED_CASE(putc, unbuffered, putc, putc('a', stream), STREAM, .condition = "unbuffered",
           .set_up = open_to_write_through, .after = is_no_error)

#if STREAMS_HAVE_BUFFERS
/* The byte that fills the buffer, and the one that comes when it is full: one of them empties it.
 */

static bool fill_buffer(size_t bytes) {
    return fflush(stream) == 0 && fwrite(data, 1, bytes, stream) == bytes;
}

#define FILLED(hook, bytes)                                                         \
    static bool hook(const struct series *series) {                                 \
        return open_to_write(&(struct series){.x = LONGEST}) && fill_buffer(bytes); \
    }                                                                               \
    static bool hook##_again(const struct series *series, uintptr_t result) {       \
        return (intptr_t)result != EOF && fill_buffer(bytes);                       \
    }

FILLED(all_but_one, BUFFER - 1)
FILLED(all, BUFFER)

TIMED_CASE(putc, fills_buffer, putc, putc('a', stream), STREAM,
           .condition = "fully buffered, one byte of 64 is left", .set_up = all_but_one,
           .after = all_but_one_again)
TIMED_CASE(putc, after_full_buffer, putc, putc('a', stream), STREAM,
           .condition = "fully buffered, after as many bytes as the buffer has", .set_up = all,
           .after = all_again)

TIMED_CASE(fputs, buffered, fputs, fputs(data, stream), STREAM, BY_LENGTH,
           .condition = "fully buffered, the buffer is empty", .set_up = open_to_write,
           .after = flush)
#endif

#if STREAMS_HAVE_BUFFERS && !defined(__PICOLIBC__) && !defined(__AVR__)
/* The library's own stream, which newlib writes at each line's end. */
static bool take_line(const struct series *series) {
    return open_to_write(series) && puts("") != EOF;
}

TIMED_CASE(puts, line, puts, puts(data), STREAM, BY_LENGTH,
           .condition = "a line, to the standard output", .set_up = take_line, .after = is_no_error)
TIMED_CASE(printf, line, printf, printf("%d\n", 1234), STREAM,
           .condition = "%d of 1234 and a line's end, to the standard output", .set_up = take_line,
           .after = is_no_error)
#endif

TIMED_CASE(fputs, unbuffered, fputs, fputs(data, stream), STREAM, BY_LENGTH,
           .condition = "unbuffered", .set_up = open_to_write_through, .after = is_no_error)

#if STREAMS_HAVE_BUFFERS
static bool flush_all(const struct series *series, uintptr_t result) {
    return result == series->x && fflush(stream) == 0;
}

TIMED_CASE(fwrite, buffered, fwrite, fwrite(data, 1, series->x, stream), STREAM, BY_SIZE,
           .condition = "fully buffered, 64 bytes of buffer are empty", .set_up = open_to_write,
           .after = flush_all)
#endif

TIMED_CASE(fwrite, unbuffered, fwrite, fwrite(data, 1, series->x, stream), STREAM, BY_SMALL_SIZE,
           .condition = "unbuffered", .set_up = open_to_write_through, .after = is_all)
#if STREAMS_HAVE_BUFFERS
TIMED_CASE(fprintf, buffered, fprintf, fprintf(stream, "%d", 1234), STREAM,
           .condition = "%d of 1234, fully buffered", .set_up = open_to_write, .after = flush)
TIMED_CASE(fprintf, plain, fprintf, fprintf(stream, data), STREAM, BY_LENGTH,
           .condition = "no conversion, fully buffered", .set_up = open_to_write, .after = flush)
TIMED_CASE(fprintf, right, fprintf, fprintf(stream, "%*d", (int)series->x, 7), STREAM,
           .condition = "%*d of 7, fully buffered", .parameter = "width", .unit = "byte",
           X_FROM_TO(1, 60), .set_up = open_to_write, .after = flush)
TIMED_CASE(fprintf, string, fprintf, fprintf(stream, "%s", data), STREAM, BY_LENGTH,
           .condition = "%s, fully buffered", .set_up = open_to_write, .after = flush)
#endif

TIMED_CASE(fprintf, unbuffered, fprintf, fprintf(stream, "%d", 1234), STREAM,
           .condition = "%d of 1234, unbuffered", .set_up = open_to_write_through,
           .after = is_no_error)

#if STREAMS_HAVE_BUFFERS
/* Flush: something, and nothing. */

static bool open_and_put(const struct series *series) {
    return open_to_write(series) && fputc('a', stream) == 'a';
}

static bool put_again(const struct series *series, uintptr_t result) {
    return result == 0 && fputc('a', stream) == 'a';
}

AFTER(is_zero, result == 0)

TIMED_CASE(fflush, pending, fflush, fflush(stream), STREAM, .condition = "one byte is pending",
           .set_up = open_and_put, .after = put_again)
TIMED_CASE(fflush, nothing, fflush, fflush(stream), STREAM, .condition = "nothing is pending",
           .set_up = open_to_write, .after = is_zero)

/* Reading. Buffered, each call finds what it asks for in the buffer. */

static void refill(size_t taken) {
    while (taken++ % BUFFER != 0)
        fgetc(stream);
    fgetc(stream);
}

/* The next byte, and 63 are in the buffer. */
static bool rewind_buffer(const struct series *series, uintptr_t result) {
    refill(1 + 1);
    return (intptr_t)result != EOF;
}

TIMED_CASE(getc, buffered, getc, getc(stream), STREAM,
           .condition = "fully buffered, the byte is there", .set_up = open_to_read,
           .after = rewind_buffer)
#endif

TIMED_CASE(getc, unbuffered, getc, getc(stream), STREAM, .condition = "unbuffered",
           .set_up = open_to_read_through, .after = is_no_error)

#if STREAMS_HAVE_BUFFERS
TIMED_CASE(feof, not_yet, feof, feof(stream), STREAM, .condition = "a stream that is read",
           .set_up = open_to_read, .after = is_zero)
TIMED_CASE(ferror, none, ferror, ferror(stream), STREAM, .condition = "a stream that is read",
           .set_up = open_to_read, .after = is_zero)

static int last_byte;

static bool open_and_get(const struct series *series) {
    return open_to_read(series) && (last_byte = fgetc(stream)) != EOF;
}

static bool get_again(const struct series *series, uintptr_t result) {
    return (int)result == last_byte && fgetc(stream) == last_byte;
}

TIMED_CASE(ungetc, buffered, ungetc, ungetc(last_byte, stream), STREAM,
           .condition = "fully buffered, the byte that was read", .set_up = open_and_get,
           .after = get_again)

static bool use_up(const struct series *series) {
    for (int i = 0; i < BUFFER - 1; i++)
        fgetc(stream);
    return true;
}

static bool open_and_use_up(const struct series *series) {
    return open_to_read(series) && use_up(series);
}

static bool use_up_again(const struct series *series, uintptr_t result) {
    return (intptr_t)result != EOF && use_up(series);
}

TIMED_CASE(getc, refills_buffer, getc, getc(stream), STREAM,
           .condition = "fully buffered, the buffer of 64 bytes is used up",
           .set_up = open_and_use_up, .after = use_up_again)
#endif
