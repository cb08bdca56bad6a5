/* Between a counted program and the C library of this machine. A file that the program opens, and
 * that is not in its folder, is copied from the folder CYCLESCOPE_INPUTS. Its path goes into the
 * file CYCLESCOPE_OPENED behind a letter: c copied, m missing, i standard input. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_PATH = 4096, PIECE = 1 << 16 };

static FILE *open_library(const char *path, const char *mode) {
    FILE *(*real)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    return real(path, mode);
}

static void tell(char kind, const char *path) {
    const char *list = getenv("CYCLESCOPE_OPENED");
    FILE *file = list ? open_library(list, "a") : NULL;
    if (file) {
        fprintf(file, "%c%s\n", kind, path);
        fclose(file);
    }
}

static void make_folders(const char *path) {
    char part[LONGEST_PATH];
    for (size_t at = 1; path[at] && at < sizeof part; at++) {
        if (path[at] == '/') {
            memcpy(part, path, at);
            part[at] = 0;
            mkdir(part, 0777);
        }
    }
}

static int copy(FILE *from, const char *path) {
    static char piece[PIECE];
    make_folders(path);
    FILE *to = open_library(path, "wb");
    if (!to)
        return 0;
    for (size_t got; (got = fread(piece, 1, sizeof piece, from)) > 0;)
        fwrite(piece, 1, got, to);
    return fclose(to) == 0;
}

/* Copies a file that is read, and is not here. */
static void fetch(const char *path) {
    char there[LONGEST_PATH];
    struct stat found;
    int before = errno;
    const char *inputs = getenv("CYCLESCOPE_INPUTS");
    int leaves = path[0] == '/' || strncmp(path, "../", 3) == 0 || strstr(path, "/../");
    if (stat(path, &found) == 0) {
        errno = before;
        return;
    }
    snprintf(there, sizeof there, "%s/%s", inputs ? inputs : "", path);
    FILE *from = NULL;
    if (inputs && !leaves && stat(there, &found) == 0 && S_ISREG(found.st_mode))
        from = open_library(there, "rb");
    tell(from && copy(from, path) ? 'c' : 'm', path);
    if (from)
        fclose(from);
    errno = before;
}

FILE *fopen(const char *path, const char *mode) {
    if (mode[0] == 'r' || mode[0] == 'a')
        fetch(path);
    return open_library(path, mode);
}

int open(const char *path, int flags, ...) {
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    mode_t mode = 0;
    if (flags & O_CREAT) {
        va_list more;
        va_start(more, flags);
        mode = va_arg(more, mode_t);
        va_end(more);
    }
    if (!(flags & O_TRUNC))
        fetch(path);
    return real(path, flags, mode);
}

ssize_t read(int file, void *bytes, size_t size) {
    static int told;
    ssize_t (*real)(int, void *, size_t) =
        (ssize_t(*)(int, void *, size_t))dlsym(RTLD_NEXT, "read");
    if (file == 0 && !told++)
        tell('i', "");
    return real(file, bytes, size);
}

__attribute__((destructor)) static void look_at_input(void) {
    if (feof(stdin))
        tell('i', "");
}
