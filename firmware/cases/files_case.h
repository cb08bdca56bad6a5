/* Shared by the cases of files: a disk, its content, and the state that every call finds. */
#ifndef FILES_CASE_H
#define FILES_CASE_H

#include <stdio.h>

#include "arena.h"
#include "case.h"
#include "files.h"

#define DESCRIPTORS .library = "POSIX", .bytes = files_bytes
#define STREAMS .library = "C", .bytes = files_bytes
#define LITTLEFS .library = "littlefs", .bytes = files_bytes
#define PATH_DEPTH .parameter = "path depth", .unit = "name", X_FROM_TO(1, 6)
#define TRANSFER_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(16, 1024)
#define BUFFERED_SIZE .parameter = "size", .unit = "byte", X_FROM_TO(16, 256)
#define LINE_LENGTH .parameter = "length", .unit = "byte", X_FROM_TO(16, 1024)
#define BY_CHARACTER(what) .parameter = what, .unit = "byte", X_FROM_TO(8, 64)
#define FILE_SIZE .parameter = "file size", .unit = "byte", X_FROM_TO(0, 2048)
#define FEW_SIZES .parameter = "file size", .unit = "byte", X_FROM_TO(0, 1024)
#define ENTRIES .parameter = "entries of the directory", .unit = "entry", X_FROM_TO(1, 12)

#define MOST_DEEP 6
#define MOST_BYTES 1024
#define STREAM_BYTES 256

/* Of the arena: the disk, what is remembered of it, two buffers, and the library's heap. */
uint32_t files_bytes(const struct series *series);

/* The content of files, MOST_BYTES of it again and again, and space for as much. */
extern char *content, *buffer;

/* "d/d/f": as many names as it is deep. */
extern char path[2 * MOST_DEEP];

/* An empty disk, mounted. The functions below fill it. */
bool make_disk(void);
bool make_file(const char *name, uint32_t bytes);
bool make_directories(uint32_t depth); /* and `path`, whose last name is a file's */
bool make_entries(uint32_t count);     /* the last one is `path` */
bool fill_disk(void);                  /* up to its last block, by one file */

/* Remembers what every call of the series shall find: all that littlefs and the library know, and
 * the blocks in use. Called last in a set-up. */
bool remember(void);

/* Brings it back, after a call; false if what was written cannot be taken back. */
bool bring_back(void);

/* Whether a file holds `bytes` of content behind its first `offset` bytes. */
bool file_holds(const char *name, uint32_t offset, uint32_t bytes);

/* Slow checks run after a series' first call only: the others find the same state
 * and do the same. */
static inline bool seen(const struct series *series) {
    return series->index > 0;
}

/* A stream on a file at the disk's root: made by the mode, or of MOST_BYTES of content and one
 * more, which is the first again. */
enum buffering {
    AS_OPENED, /* fully, by BUFSIZ bytes of the library's heap, which it takes when it needs them */
    BUFFERED,  /* fully, by STREAM_BYTES of the library's heap */
    UNBUFFERED
};
extern FILE *stream;
bool open_stream(const char *mode, enum buffering buffering);
bool fill_buffer(void); /* of the stream, by reading one byte */

/* The library makes its three standard streams now: the first call for any stream would. */
bool settle_streams(void);

#endif
