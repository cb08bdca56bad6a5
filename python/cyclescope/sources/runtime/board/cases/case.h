/* The cases of firmware/cases/ on this machine, with a board's files and streams: which events does
 * each call meet? Calls go to the model of the board.
 */
#ifndef CASE_H
#define CASE_H

#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lfs.h"
#include "streams.h"

#define CONSTANT const

struct series {
    uint32_t x;
    uint16_t length;
    uint16_t index;
};

struct domain {
    uint32_t first, last, step;
};

struct timed_case {
    const char *name, *condition, *library, *parameter, *unit;
    const struct domain *domain;
    uint8_t flags;
    uint32_t (*bytes)(const struct series *);
    bool (*set_up)(const struct series *);
    void (*before)(const struct series *);
    bool (*after)(const struct series *, uintptr_t result);
    void (*tear_down)(const struct series *);
    uintptr_t (*real)(const struct series *);
};

enum { CASE_LENGTH_IS_LOAD = 2 };

void case_is(const struct timed_case *one);

#define TIMED_CASE(function, condition_, callee_, expression, ...)                               \
    static uintptr_t function##_##condition_##_real(const struct series *series) {               \
        return (uintptr_t)(expression);                                                          \
    }                                                                                            \
    static const struct timed_case function##_##condition_ = {                                   \
        .name = #function "." #condition_, .real = function##_##condition_##_real, __VA_ARGS__}; \
    __attribute__((constructor)) static void function##_##condition_##_declared(void) {          \
        case_is(&function##_##condition_);                                                       \
    }
#define TIMED_ACTION(function, condition_, callee_, expression, ...) \
    TIMED_CASE(function, condition_, callee_, ((expression), 0), __VA_ARGS__)
#define X_FROM_TO(first_, last_) X_IN_STEPS(first_, last_, 1)
#define X_IN_STEPS(first_, last_, step_) \
    .domain = &(const struct domain) {   \
        (first_), (last_), (step_)       \
    }

int case_sprintf(char *to, const char *format, ...);
int case_snprintf(char *to, size_t most, const char *format, ...);
int case_sscanf(const char *text, const char *format, ...);
int case_fprintf(FILE *stream, const char *format, ...);
void case_qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *));
int case_printf(const char *format, ...);
int case_puts(const char *text);
int case_fscanf(FILE *stream, const char *format, ...);
#define sprintf(...) case_sprintf(__VA_ARGS__)
#define snprintf(...) case_snprintf(__VA_ARGS__)
#define sscanf(...) case_sscanf(__VA_ARGS__)
#define fprintf(...) case_fprintf(__VA_ARGS__)
#define printf(...) case_printf(__VA_ARGS__)
#define puts(text) case_puts(text)
#define qsort(...) case_qsort(__VA_ARGS__)
#define fscanf(...) case_fscanf(__VA_ARGS__)

int board_open(const char *path, int flags, ...);
int board_close(int number);
ssize_t board_read(int number, void *data, size_t size);
ssize_t board_write(int number, const void *data, size_t size);
off_t board_lseek(int number, off_t offset, int whence);
int board_fstat(int number, struct stat *status);
int board_stat(const char *path, struct stat *status);
int board_unlink(const char *path);
int board_mkdir(const char *path, mode_t mode);
int board_rename(const char *old, const char *new);
int board_fsync(int number);
#define open(...) board_open(__VA_ARGS__)
#define close(...) board_close(__VA_ARGS__)
#define read(...) board_read(__VA_ARGS__)
#define write(...) board_write(__VA_ARGS__)
#define lseek(...) board_lseek(__VA_ARGS__)
#define fstat(...) board_fstat(__VA_ARGS__)
#define stat(...) board_stat(__VA_ARGS__)
#define unlink(...) board_unlink(__VA_ARGS__)
#define mkdir(...) board_mkdir(__VA_ARGS__)
#define rename(...) board_rename(__VA_ARGS__)
#define fsync(...) board_fsync(__VA_ARGS__)

#define HERE(stream) ((struct board_stream *)(stream))
#define fopen(...) ((FILE *)stream_fopen(__VA_ARGS__))
#define fclose(s) stream_fclose(HERE(s))
#define fread(to, size, count, s) stream_fread(HERE(s), to, (size) * (count))
#define fwrite(from, size, count, s) stream_fwrite(HERE(s), from, (size) * (count))
#define fgets(to, most, s) stream_fgets(HERE(s), to, most)
#define fputs(text, s) stream_fputs(HERE(s), text)
#define fgetc(s) stream_getc(HERE(s))
#undef getc
#define getc(s) stream_getc(HERE(s))
#define fputc(byte, s) stream_fputc(HERE(s), byte)
#undef putc
#define putc(byte, s) stream_putc(HERE(s), byte)
#define ungetc(byte, s) stream_ungetc(HERE(s), byte)
#define fseek(s, offset, whence) stream_fseek(HERE(s), offset, whence)
#define ftell(s) stream_ftell(HERE(s))
#define fflush(s) stream_fflush(HERE(s))
#define feof(s) stream_feof(HERE(s))
#undef ferror
#define ferror(s) 0 /* is of no parts */
#define fileno(s) stream_fileno(HERE(s))
#define setvbuf(s, buffer, mode, size) stream_setvbuf(HERE(s), buffer, mode, size)
#define fdopen(...) ((FILE *)NULL)

#endif
