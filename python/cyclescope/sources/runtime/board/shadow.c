/* Calls of a counted program for streams, files and formatted text. This machine's library does
 * them. Beside, each goes through a board's files and streams, whose events are counted for it. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../counted.h"
#include "events.h"
#include "streams.h"

enum { MOST_OPEN = 64, MOST_FILES = 256 };

int board_format(void);
int board_remount(void);
int board_give(const char *path, size_t size);
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

static struct cyclescope_slot *slot;

/* The events of a call, added up until it ends. */
static struct {
    unsigned kind, x;
    unsigned long long times;
} met[512];
static unsigned met_count;

static void tell(void) {
    for (unsigned i = 0; i < met_count; i++)
        cyclescope_met(slot, met[i].kind, met[i].x, met[i].times);
    met_count = 0;
}

void event(unsigned kind, unsigned x, unsigned long long times) {
    if (!events_count || !times)
        return;
    for (unsigned i = 0; i < met_count; i++)
        if (met[i].kind == kind && met[i].x == x) {
            met[i].times += times;
            return;
        }
    if (met_count == sizeof met / sizeof *met)
        tell();
    met[met_count].kind = kind;
    met[met_count].x = x;
    met[met_count++].times = times;
}

static int by_age(const struct dirent **a, const struct dirent **b) {
    struct stat left = {0}, right = {0};
    stat((*a)->d_name, &left);
    stat((*b)->d_name, &right);
    if (left.st_mtim.tv_sec != right.st_mtim.tv_sec)
        return left.st_mtim.tv_sec < right.st_mtim.tv_sec ? -1 : 1;
    if (left.st_mtim.tv_nsec != right.st_mtim.tv_nsec)
        return left.st_mtim.tv_nsec < right.st_mtim.tv_nsec ? -1 : 1;
    if (left.st_ino != right.st_ino)
        return left.st_ino < right.st_ino ? -1 : 1;
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* The board's disk has the files of the folder in which the program starts. */
static void fill_disk(void) {
    struct dirent **entries;
    board_format();
    int count = scandir(".", &entries, NULL, by_age);
    for (int i = 0; i < count; i++) {
        struct stat status;
        if (stat(entries[i]->d_name, &status) == 0 && S_ISREG(status.st_mode))
            board_give(entries[i]->d_name, (size_t)status.st_size);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    board_remount();
}

static int kept_errno;

/* Before the program makes its first file. */
static void prepare(void) {
    static int prepared;
    if (!prepared) {
        prepared = 1;
        fill_disk();
    }
}

static void begin(struct cyclescope_slot *in) {
    kept_errno = errno;
    prepare();
    slot = in;
    events_count = 1;
}

static void end(void) {
    events_count = 0;
    tell();
    errno = kept_errno;
}

/* Streams of this machine and what they are on the board. */
static struct {
    FILE *here;
    struct board_stream *there;
} opened[MOST_OPEN];
static int descriptors[MOST_FILES]; /* the board's, and one; 0: none */

static struct board_stream *there(FILE *here) {
    static unsigned last;
    if (opened[last].here == here && here)
        return opened[last].there;
    for (unsigned i = 0; i < MOST_OPEN; i++)
        if (opened[i].here == here && here) {
            last = i;
            return opened[i].there;
        }
    return NULL;
}

static struct board_stream *standard(FILE *here) {
    struct board_stream *found = there(here);
    if (found)
        return found;
    if (here != stdin && here != stdout && here != stderr)
        return NULL;
    stream_begin();
    return here == stdin ? board_input : here == stdout ? board_output : board_errors;
}

static int descriptor(int here) {
    return here >= 0 && here < MOST_FILES ? descriptors[here] - 1 : -1;
}

/* A file that is there on this machine, and may be unknown to the board. */
static void know(const char *path, int here, int makes) {
    struct stat status;
    int counted = events_count;
    events_count = 0;
    if (!makes && fstat(here, &status) == 0)
        board_give(path, (size_t)status.st_size);
    events_count = counted;
}

#define BEGIN begin(in)
#define END end()

void *cyclescope_fopen(struct cyclescope_slot *in, const char *path, const char *mode) {
    prepare();
    int makes = access(path, F_OK) != 0;
    FILE *here = fopen(path, mode);
    BEGIN;
    if (here)
        know(path, fileno(here), makes || mode[0] == 'w');
    struct board_stream *found = stream_fopen(path, mode);
    for (unsigned i = 0; here && i < MOST_OPEN; i++)
        if (!opened[i].here) {
            opened[i].here = here;
            opened[i].there = found;
            break;
        }
    END;
    return here;
}

int cyclescope_fclose(struct cyclescope_slot *in, void *stream) {
    BEGIN;
    struct board_stream *found = standard(stream);
    if (found)
        stream_fclose(found);
    for (unsigned i = 0; i < MOST_OPEN; i++)
        if (opened[i].here == stream)
            opened[i].here = NULL;
    END;
    return fclose(stream);
}

#define BOARD(statement)                               \
    do {                                               \
        BEGIN;                                         \
        struct board_stream *board = standard(stream); \
        if (board)                                     \
            statement;                                 \
        END;                                           \
    } while (0)

static void *scratch(size_t size) {
    static void *memory;
    static size_t has;
    if (size > has) {
        free(memory);
        memory = malloc(has = 2 * size);
    }
    return memory;
}

unsigned long cyclescope_fread(struct cyclescope_slot *in, void *to, unsigned long size,
                               unsigned long count, void *stream) {
    unsigned long result = fread(to, size, count, stream);
    /* At the same place in a word. */
    BOARD(stream_fread(board, (char *)scratch(size * count + 8) + ((unsigned long)to & 3),
                       size * count));
    return result;
}

unsigned long cyclescope_fwrite(struct cyclescope_slot *in, const void *from, unsigned long size,
                                unsigned long count, void *stream) {
    BOARD(stream_fwrite(board, from, size * count));
    return fwrite(from, size, count, stream);
}

int cyclescope_fgetc(struct cyclescope_slot *in, void *stream) {
    BOARD(stream_getc(board));
    return fgetc(stream);
}

int cyclescope_getchar(struct cyclescope_slot *in) {
    return cyclescope_fgetc(in, stdin);
}

int cyclescope_putc(struct cyclescope_slot *in, int byte, void *stream) {
    BOARD(stream_putc(board, byte));
    return putc(byte, stream);
}

int cyclescope_fputc(struct cyclescope_slot *in, int byte, void *stream) {
    BOARD(stream_fputc(board, byte));
    return fputc(byte, stream);
}

int cyclescope_putchar(struct cyclescope_slot *in, int byte) {
    return cyclescope_putc(in, byte, stdout);
}

int cyclescope_ungetc(struct cyclescope_slot *in, int byte, void *stream) {
    BOARD(stream_ungetc(board, byte));
    return ungetc(byte, stream);
}

char *cyclescope_fgets(struct cyclescope_slot *in, char *to, int most, void *stream) {
    char *result = fgets(to, most, stream);
    BOARD(stream_fgets(board, scratch((size_t)most), most));
    return result;
}

int cyclescope_fputs(struct cyclescope_slot *in, const char *text, void *stream) {
    BOARD(stream_fputs(board, text));
    return fputs(text, stream);
}

int cyclescope_puts(struct cyclescope_slot *in, const char *text) {
    BEGIN;
    stream_puts(text);
    END;
    return puts(text);
}

int cyclescope_fseek(struct cyclescope_slot *in, void *stream, long offset, int whence) {
    BOARD(stream_fseek(board, offset, whence));
    return fseek(stream, offset, whence);
}

void cyclescope_rewind(struct cyclescope_slot *in, void *stream) {
    BOARD(stream_fseek(board, 0, SEEK_SET));
    rewind(stream);
}

long cyclescope_ftell(struct cyclescope_slot *in, void *stream) {
    BOARD(stream_ftell(board));
    return ftell(stream);
}

int cyclescope_feof(struct cyclescope_slot *in, void *stream) {
    BOARD(stream_feof(board));
    return feof(stream);
}

int cyclescope_fflush(struct cyclescope_slot *in, void *stream) {
    BOARD(stream_fflush(board));
    return fflush(stream);
}

int cyclescope_setvbuf(struct cyclescope_slot *in, void *stream, char *buffer, int mode,
                       unsigned long size) {
    BOARD(stream_setvbuf(board, NULL, mode, size));
    return setvbuf(stream, buffer, mode, size);
}

/* The compiler makes simpler calls of formats that need nothing of printf(). */
static int print(FILE *stream, const char *format, va_list values) {
    struct board_stream *board = standard(stream);
    size_t length = strlen(format);
    va_list again;
    va_copy(again, values);
    if (board) {
        if (!strchr(format, '%')) {
            if (length == 1)
                stream_putc(board, format[0]);
            else if (length && stream == stdout && format[length - 1] == '\n')
                stream_puts_bytes(format, length);
            else if (length && stream != stdout)
                stream_fwrite(board, format, length);
            else
                stream_vfprintf(board, format, again);
        } else if (!strcmp(format, "%s")) {
            stream_fputs(board, va_arg(again, const char *));
        } else if (!strcmp(format, "%c")) {
            stream_putc(board, va_arg(again, int));
        } else if (!strcmp(format, "%s\n") && stream == stdout) {
            stream_puts(va_arg(again, const char *));
        } else {
            stream_vfprintf(board, format, again);
        }
    }
    va_end(again);
    return vfprintf(stream, format, values);
}

#define FORMATTED(call)       \
    va_list values;           \
    va_start(values, format); \
    BEGIN;                    \
    int result = call;        \
    END;                      \
    va_end(values);           \
    return result

int cyclescope_printf(struct cyclescope_slot *in, const char *format, ...) {
    FORMATTED(print(stdout, format, values));
}

int cyclescope_fprintf(struct cyclescope_slot *in, void *stream, const char *format, ...) {
    FORMATTED(print(stream, format, values));
}

int cyclescope_vprintf(struct cyclescope_slot *in, const char *format, va_list values) {
    BEGIN;
    int result = print(stdout, format, values);
    END;
    return result;
}

int cyclescope_vfprintf(struct cyclescope_slot *in, void *stream, const char *format,
                        va_list values) {
    BEGIN;
    int result = print(stream, format, values);
    END;
    return result;
}

static int print_text(char *to, size_t most, const char *format, va_list values) {
    va_list again;
    va_copy(again, values);
    text_made(to, most, format, again);
    va_end(again);
    return most == (size_t)-1 ? vsprintf(to, format, values) : vsnprintf(to, most, format, values);
}

int cyclescope_sprintf(struct cyclescope_slot *in, char *to, const char *format, ...) {
    FORMATTED(print_text(to, (size_t)-1, format, values));
}

int cyclescope_snprintf(struct cyclescope_slot *in, char *to, unsigned long most,
                        const char *format, ...) {
    FORMATTED(print_text(to, most, format, values));
}

int cyclescope_vsprintf(struct cyclescope_slot *in, char *to, const char *format, va_list values) {
    BEGIN;
    int result = print_text(to, (size_t)-1, format, values);
    END;
    return result;
}

int cyclescope_vsnprintf(struct cyclescope_slot *in, char *to, unsigned long most,
                         const char *format, va_list values) {
    BEGIN;
    int result = print_text(to, most, format, values);
    END;
    return result;
}

int cyclescope_sscanf(struct cyclescope_slot *in, const char *text, const char *format, ...) {
    va_list values;
    va_start(values, format);
    int result = vsscanf(text, format, values);
    va_end(values);
    BEGIN;
    text_read(format, text, strlen(text));
    END;
    return result;
}

int cyclescope_fscanf(struct cyclescope_slot *in, void *stream, const char *format, ...) {
    long before = ftell(stream);
    va_list values;
    va_start(values, format);
    int result = vfscanf(stream, format, values);
    va_end(values);
    int kept = errno;
    long consumed = ftell(stream) - before;
    if (before >= 0 && consumed >= 0) {
        char *text = malloc((size_t)consumed + 1);
        ssize_t got = pread(fileno((FILE *)stream), text, (size_t)consumed, before);
        text[got > 0 ? got : 0] = 0;
        BOARD(stream_fscanf(board, format, text, (size_t)(got > 0 ? got : 0)));
        free(text);
    }
    errno = kept;
    return result;
}

/* Files by descriptors. */

int cyclescope_open(struct cyclescope_slot *in, const char *path, int flags, ...) {
    prepare();
    va_list values;
    va_start(values, flags);
    int here = open(path, flags, flags & O_CREAT ? va_arg(values, int) : 0);
    va_end(values);
    BEGIN;
    if (here >= 0)
        know(path, here, flags & (O_CREAT | O_TRUNC));
    int found = board_open(path, flags);
    if (here >= 0 && here < MOST_FILES)
        descriptors[here] = found + 1;
    END;
    return here;
}

#define BOARD_FILE(statement)           \
    do {                                \
        BEGIN;                          \
        int board = descriptor(number); \
        if (board >= 0)                 \
            statement;                  \
        END;                            \
    } while (0)

int cyclescope_close(struct cyclescope_slot *in, int number) {
    BOARD_FILE(board_close(board));
    if (number >= 0 && number < MOST_FILES)
        descriptors[number] = 0;
    return close(number);
}

long cyclescope_read(struct cyclescope_slot *in, int number, void *to, unsigned long size) {
    long result = read(number, to, size);
    BOARD_FILE(board_read(board, (char *)scratch(size + 8) + ((unsigned long)to & 3), size));
    return result;
}

long cyclescope_write(struct cyclescope_slot *in, int number, const void *from,
                      unsigned long size) {
    BOARD_FILE(board_write(board, from, size));
    return write(number, from, size);
}

long cyclescope_lseek(struct cyclescope_slot *in, int number, long offset, int whence) {
    BOARD_FILE(board_lseek(board, offset, whence));
    return lseek(number, offset, whence);
}

int cyclescope_fsync(struct cyclescope_slot *in, int number) {
    BOARD_FILE(board_fsync(board));
    return fsync(number);
}

int cyclescope_unlink(struct cyclescope_slot *in, const char *path) {
    BEGIN;
    board_unlink(path);
    END;
    return unlink(path);
}

int cyclescope_remove(struct cyclescope_slot *in, const char *path) {
    BEGIN;
    board_unlink(path);
    END;
    return remove(path);
}

int cyclescope_rename(struct cyclescope_slot *in, const char *old, const char *new) {
    BEGIN;
    board_rename(old, new);
    END;
    return rename(old, new);
}

int cyclescope_mkdir(struct cyclescope_slot *in, const char *path, unsigned mode) {
    BEGIN;
    board_mkdir(path, mode);
    END;
    return mkdir(path, mode);
}
