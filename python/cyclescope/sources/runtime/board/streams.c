/* Streams as newlib-nano 3.3 has them. Part of files.c, whose events count its functions too. */
#include <fcntl.h>
#include <stdio.h>

#include "streams.h"

enum {
    READS = 1,
    WRITES = 2,
    BOTH = 4,
    AT_END = 8,
    LINES = 16,
    UNBUFFERED = 32,
    APPENDS = 64,
    OWN_BUFFER = 128,
    KNOWN_OFFSET = 256,
    PUSHED_USED = 512 /* the byte that was pushed back was read: what is left comes next */
};
enum { MOST_STREAMS = 24, BUFFER_BYTES = 1024 };

struct board_stream {
    int flags; /* 0: free */
    int left, room, line_room;
    unsigned char *base, *at;
    int size;
    int file;
    int pushed; /* a byte that was pushed back, -1 */
    unsigned char single[1];
};

static struct board_stream streams[MOST_STREAMS];
struct board_stream *board_input, *board_output, *board_errors;

static void stream_sinit(void) {
    if (board_input)
        return;
    /* newlib-nano takes its standard output for a terminal. */
    static const int flags[] = {READS, WRITES | LINES, BOTH | UNBUFFERED};
    for (int file = 0; file < 3; file++)
        streams[file] = (struct board_stream){.flags = flags[file], .file = file, .pushed = -1};
    board_input = &streams[0];
    board_output = &streams[1];
    board_errors = &streams[2];
}

NOT_COUNTED void streams_forget(void) {
    for (int i = 0; i < MOST_STREAMS; i++)
        if (streams[i].flags & OWN_BUFFER)
            free(streams[i].base);
    memset(streams, 0, sizeof streams);
    board_input = board_output = board_errors = NULL;
}

static int stream_sread(struct board_stream *s) {
    int got = (int)board_read(s->file, s->base, (size_t)s->size);
    return got;
}

static int stream_swrite(struct board_stream *s, const unsigned char *from, int size) {
    if (s->flags & APPENDS)
        board_lseek(s->file, 0, SEEK_END);
    s->flags &= ~KNOWN_OFFSET;
    return (int)board_write(s->file, from, (size_t)size);
}

static long stream_sseek(struct board_stream *s, long offset, int whence) {
    long at = (long)board_lseek(s->file, offset, whence);
    s->flags |= KNOWN_OFFSET;
    return at;
}

static void stream_smakebuf(struct board_stream *s) {
    if (s->flags & UNBUFFERED) {
        s->base = s->at = s->single;
        s->size = 1;
        return;
    }
    struct stat status;
    board_fstat(s->file, &status);
    s->base = s->at = calloc(1, BUFFER_BYTES);
    s->size = BUFFER_BYTES;
    s->flags |= OWN_BUFFER;
}

static int stream_sflush(struct board_stream *s) {
    if (!(s->flags & WRITES)) {
        if (s->left > 0 || s->pushed >= 0) {
            long at = stream_sseek(s, 0, SEEK_CUR);
            at -= s->left + (s->pushed >= 0);
            stream_sseek(s, at, SEEK_SET);
            s->left = 0;
            s->at = s->base;
            s->pushed = -1;
        }
        return 0;
    }
    if (!s->base)
        return 0;
    int size = (int)(s->at - s->base);
    s->at = s->base;
    s->room = s->flags & (LINES | UNBUFFERED) ? 0 : s->size;
    if (size > 0 && stream_swrite(s, s->base, size) != size)
        return EOF;
    return 0;
}

static void stream_lflush(struct board_stream *s) {
    if ((s->flags & (LINES | WRITES)) == (LINES | WRITES))
        stream_sflush(s);
}

/* All lines are written before an unbuffered stream is read. */
static void stream_fwalk(void) {
    for (int i = 0; i < MOST_STREAMS; i++)
        if (streams[i].flags)
            stream_lflush(&streams[i]);
}

static int stream_swsetup(struct board_stream *s) {
    stream_sinit();
    if (!(s->flags & WRITES)) {
        if (!(s->flags & BOTH))
            return EOF;
        if (s->flags & READS) {
            s->flags &= ~(READS | AT_END);
            s->left = 0;
            s->at = s->base;
            s->pushed = -1;
        }
        s->flags |= WRITES;
    }
    if (!s->base)
        stream_smakebuf(s);
    s->line_room = s->flags & LINES ? -s->size : 0;
    s->room = s->flags & (LINES | UNBUFFERED) ? 0 : s->size;
    return 0;
}

NOT_COUNTED static int cannot_write(struct board_stream *s) {
    return (!(s->flags & WRITES) || !s->base) && stream_swsetup(s);
}

static int stream_srefill(struct board_stream *s) {
    stream_sinit();
    if (s->flags & PUSHED_USED) {
        s->flags &= ~PUSHED_USED;
        if (s->left > 0)
            return 0;
    }
    s->left = 0;
    if (s->flags & AT_END)
        return EOF;
    if (!(s->flags & READS)) {
        if (!(s->flags & BOTH))
            return EOF;
        if (s->flags & WRITES) {
            if (stream_sflush(s))
                return EOF;
            s->flags &= ~WRITES;
            s->room = s->line_room = 0;
        }
        s->flags |= READS;
    }
    if (!s->base)
        stream_smakebuf(s);
    s->at = s->base;
    if (s->flags & (LINES | UNBUFFERED))
        stream_fwalk();
    s->left = stream_sread(s);
    if (s->left <= 0) {
        s->left = 0;
        s->flags |= AT_END;
        return EOF;
    }
    return 0;
}

static int stream_swbuf(struct board_stream *s, int byte) {
    s->room = s->line_room;
    if (cannot_write(s))
        return EOF;
    int filled = (int)(s->at - s->base);
    if (filled >= s->size) {
        if (stream_sflush(s))
            return EOF;
        filled = 0;
    }
    s->room--;
    *s->at++ = (unsigned char)byte;
    if (++filled == s->size || (s->flags & LINES && byte == '\n'))
        if (stream_sflush(s))
            return EOF;
    return byte;
}

/* Whether a byte fits. A stream of lines has space up to a line's end, though it is counted below
 * zero. */
NOT_COUNTED static int has_room(const struct board_stream *s, int byte) {
    return s->room >= 0 || (s->flags & LINES && s->room >= s->line_room && byte != '\n');
}

/* Bytes one by one, as the library's loops put them. */
NOT_COUNTED static int put(struct board_stream *s, const unsigned char *from, size_t size) {
    if (s->flags & LINES) {
        for (; size > 0; size--, from++) {
            s->room--;
            if (has_room(s, *from))
                *s->at++ = *from;
            else if (stream_swbuf(s, *from) == EOF)
                return EOF;
        }
        return 0;
    }
    while (size > 0) {
        int part = s->room < (int)size ? s->room : (int)size;
        if (part > 0 && s->at) {
            memcpy(s->at, from, (size_t)part);
            s->at += part;
            s->room -= part;
            from += part;
            size -= (size_t)part;
        } else {
            s->room--;
            if (stream_swbuf(s, *from++) == EOF)
                return EOF;
            size--;
        }
    }
    return 0;
}

size_t stream_fread(struct board_stream *s, void *to, size_t size) {
    stream_sinit();
    size_t wanted = size;
    if (size == 0)
        return 0;
    if (s->pushed >= 0) {
        *(char *)to = (char)s->pushed;
        s->pushed = -1;
        s->flags |= PUSHED_USED;
        to = (char *)to + 1;
        size--;
        if (size == 0)
            return wanted;
    }
    if (s->flags & PUSHED_USED && stream_srefill(s))
        return wanted - size;
    if (s->flags & UNBUFFERED) {
        unsigned char *base = s->base;
        while (size > 0) {
            s->base = to;
            s->size = (int)size;
            int failed = stream_srefill(s);
            s->base = base;
            s->size = 1;
            if (failed)
                break;
            to = (char *)to + s->left;
            size -= (size_t)s->left;
            s->left = 0;
        }
        return wanted - size;
    }
    while (size > (size_t)s->left) {
        copied(to, s->at, (size_t)s->left);
        memcpy(to, s->at, (size_t)s->left);
        s->at += s->left;
        to = (char *)to + s->left;
        size -= (size_t)s->left;
        if (stream_srefill(s))
            return wanted - size;
    }
    copied(to, s->at, size);
    memcpy(to, s->at, size);
    s->left -= (int)size;
    s->at += size;
    return wanted;
}

size_t stream_fwrite(struct board_stream *s, const void *from, size_t size) {
    stream_sinit();
    if (cannot_write(s))
        return 0;
    event(AMOUNT_put_bytes, FUNCTION_stream_fwrite, size);
    return put(s, from, size) ? 0 : size;
}

int stream_fputs(struct board_stream *s, const char *text) {
    stream_sinit();
    if (cannot_write(s))
        return EOF;
    event(AMOUNT_put_bytes, FUNCTION_stream_fputs, strlen(text));
    return put(s, (const unsigned char *)text, strlen(text));
}

int stream_puts(const char *text) {
    stream_sinit();
    struct board_stream *s = board_output;
    if (cannot_write(s))
        return EOF;
    event(AMOUNT_put_bytes, FUNCTION_stream_puts, strlen(text) + 1);
    put(s, (const unsigned char *)text, strlen(text));
    return put(s, (const unsigned char *)"\n", 1);
}

/* puts() of a text that ends with its line's end. */
NOT_COUNTED void stream_puts_bytes(const char *text, size_t size) {
    char line[size];
    memcpy(line, text, size);
    line[size - 1] = 0;
    stream_puts(line);
}

NOT_COUNTED void stream_begin(void) {
    stream_sinit();
}

char *stream_fgets(struct board_stream *s, char *to, int most) {
    char *begin = to;
    int left = most - 1;
    stream_sinit();
    while (left > 0) {
        if ((s->left <= 0 || s->flags & PUSHED_USED) && stream_srefill(s)) {
            if (to == begin)
                return NULL;
            break;
        }
        int part = s->left < left ? s->left : left;
        const unsigned char *end = memchr(s->at, '\n', (size_t)part);
        if (end)
            part = (int)(end - s->at) + 1;
        event(AMOUNT_line_bytes, 0, (unsigned)part);
        event(AMOUNT_line_parts, 0, 1);
        copied(to, s->at, (size_t)part);
        memcpy(to, s->at, (size_t)part);
        s->at += part;
        s->left -= part;
        to += part;
        left -= part;
        if (end)
            break;
    }
    *to = 0;
    return begin;
}

static int stream_srget(struct board_stream *s) {
    if (stream_srefill(s))
        return EOF;
    s->left--;
    return *s->at++;
}

int stream_getc(struct board_stream *s) {
    if (s->pushed >= 0) {
        int byte = s->pushed;
        s->pushed = -1;
        s->flags |= PUSHED_USED;
        return byte;
    }
    if (!(s->flags & PUSHED_USED) && s->left > 0) {
        s->left--;
        return *s->at++;
    }
    return stream_srget(s);
}

int stream_ungetc(struct board_stream *s, int byte) {
    if (byte == EOF)
        return EOF;
    s->flags &= ~AT_END;
    if (s->left >= 0 && s->base && s->at > s->base && s->at[-1] == byte) {
        s->at--;
        s->left++;
    } else {
        s->pushed = byte;
        s->flags &= ~PUSHED_USED;
    }
    return byte;
}

int stream_putc(struct board_stream *s, int byte) {
    s->room--;
    if (s->at && has_room(s, byte))
        return *s->at++ = (unsigned char)byte;
    return stream_swbuf(s, (unsigned char)byte);
}

int stream_fputc(struct board_stream *s, int byte) {
    return stream_putc(s, byte);
}

struct board_stream *stream_fopen(const char *path, const char *mode) {
    stream_sinit();
    int plus = strchr(mode, '+') != NULL;
    int flags = plus ? BOTH : mode[0] == 'r' ? READS : WRITES;
    int how = plus ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    how |= mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
    int at = 0;
    while (at < MOST_STREAMS && streams[at].flags)
        at++;
    if (at == MOST_STREAMS)
        return NULL;
    int file = board_open(path, how);
    if (file < 0)
        return NULL;
    struct board_stream *s = &streams[at];
    *s = (struct board_stream){.flags = flags, .file = file, .pushed = -1};
    if (mode[0] == 'a') {
        s->flags |= APPENDS;
        stream_fseek(s, 0, SEEK_END);
    }
    return s;
}

int stream_fclose(struct board_stream *s) {
    stream_sinit();
    int result = stream_sflush(s);
    board_close(s->file);
    if (s->flags & OWN_BUFFER)
        free(s->base);
    s->flags = 0;
    return result;
}

int stream_fflush(struct board_stream *s) {
    stream_sinit();
    return s->flags ? stream_sflush(s) : 0;
}

int stream_fseek(struct board_stream *s, long offset, int whence) {
    stream_sinit();
    if (s->flags & APPENDS && s->flags & WRITES)
        stream_sflush(s);
    if (whence == SEEK_CUR) {
        stream_fflush(s);
        long at = s->flags & KNOWN_OFFSET ? (long)board_lseek(s->file, 0, SEEK_CUR)
                                          : stream_sseek(s, 0, SEEK_CUR);
        if (s->flags & READS)
            at -= s->left;
        else if (s->flags & WRITES && s->at)
            at += s->at - s->base;
        offset += at;
        whence = SEEK_SET;
    }
    if (!s->base)
        stream_smakebuf(s);
    if (stream_fflush(s) || stream_sseek(s, offset, whence) < 0)
        return EOF;
    s->pushed = -1;
    s->at = s->base;
    s->left = 0;
    s->flags &= ~(AT_END | PUSHED_USED);
    return 0;
}

long stream_ftell(struct board_stream *s) {
    stream_sinit();
    if (s->flags & APPENDS && s->flags & WRITES)
        stream_sflush(s);
    long at = (long)board_lseek(s->file, 0, SEEK_CUR);
    if (s->flags & READS)
        return at - s->left - (s->pushed >= 0);
    return s->flags & WRITES && s->at ? at + (s->at - s->base) : at;
}

int stream_feof(struct board_stream *s) {
    return s->flags & AT_END;
}

NOT_COUNTED int stream_fileno(struct board_stream *s) {
    return s->file;
}

int stream_setvbuf(struct board_stream *s, char *buffer, int mode, size_t size) {
    stream_sinit();
    stream_sflush(s);
    if (s->flags & OWN_BUFFER)
        free(s->base);
    s->left = s->line_room = 0;
    s->flags &= ~(LINES | UNBUFFERED | OWN_BUFFER);
    s->pushed = -1;
    if (mode == _IONBF) {
        s->flags |= UNBUFFERED;
        s->base = s->at = s->single;
        s->size = 1;
        s->room = 0;
        return 0;
    }
    s->size = size ? (int)size : BUFFER_BYTES;
    s->base = s->at = calloc(1, (size_t)s->size);
    s->flags |= OWN_BUFFER;
    if (mode == _IOLBF)
        s->flags |= LINES;
    if (s->flags & WRITES) {
        s->line_room = s->flags & LINES ? -s->size : 0;
        s->room = s->flags & LINES ? 0 : s->size;
    }
    return 0;
}

/* For formatted text, whose own loops are counted elsewhere. */
NOT_COUNTED int stream_can_write(struct board_stream *s) {
    return !cannot_write(s);
}

NOT_COUNTED void stream_put(struct board_stream *s, const char *text, size_t size) {
    put(s, (const unsigned char *)text, size);
}

/* Takes bytes as scanf() does, and looks at the one behind them. */
NOT_COUNTED void stream_take(struct board_stream *s, size_t size) {
    for (;;) {
        if (s->left <= 0 && stream_srefill(s))
            return;
        size_t part = (size_t)s->left < size ? (size_t)s->left : size;
        s->at += part;
        s->left -= (int)part;
        size -= part;
        if (!size && s->left > 0)
            return;
    }
}

NOT_COUNTED size_t stream_peek(struct board_stream *s, char *to, size_t most) {
    int counted = events_count;
    events_count = 0;
    if (s->left <= 0)
        stream_srefill(s);
    size_t size = s->left < (int)most ? (size_t)s->left : most;
    memcpy(to, s->at, size);
    events_count = counted;
    return size;
}
