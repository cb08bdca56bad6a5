/* Descriptors: what a C library asks of the system below it (Red Hat newlib C Library, "System
 * Calls"), by littlefs. There is also a device that takes every byte and has as many as are asked
 * for. In newlib mkdir(), rename() and fsync() for littlefs are missing, so they are here. Its
 * rename() is link() and unlink(), and littlefs knows no links. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "system_call.h"

#ifdef FILES_NO_INPUT /* the device takes every byte and has none */
#define DEVICE_GIVES(size) 0
#else
#define DEVICE_GIVES(size) (ssize_t)(size)
#endif

struct file_system file_system;

#ifndef __PICOLIBC__
/* In no header of newlib's. */
int _open(const char *path, int flags, ...);
int _close(int number);
ssize_t _read(int number, void *data, size_t size);
ssize_t _write(int number, const void *data, size_t size);
off_t _lseek(int number, off_t offset, int whence);
int _fstat(int number, struct stat *status);
int _stat(const char *path, struct stat *status);
int _unlink(const char *path);
int _isatty(int number);
#endif

/* littlefs's errors are Linux's; where the library numbers one differently it is translated here.
 */
static int fail(int error) {
    switch (error) {
    case LFS_ERR_NOTEMPTY:
        errno = ENOTEMPTY;
        break;
    case LFS_ERR_NAMETOOLONG:
        errno = ENAMETOOLONG;
        break;
    case LFS_ERR_CORRUPT:
        errno = EIO;
        break;
    default:
        errno = -error;
    }
    return -1;
}

static int told(int result) {
    return result < 0 ? fail(result) : result;
}

/* NULL: the number is of no open file. */
static struct descriptor *descriptor(int number) {
    unsigned index = (unsigned)number - FILES_FIRST_DESCRIPTOR;
    if (index >= FILES_OPEN_AT_ONCE || !file_system.descriptors[index].open)
        return NULL;
    return &file_system.descriptors[index];
}

/* The three descriptors that every program has are of the device. */
static bool is_device(int number) {
    return (unsigned)number < FILES_FIRST_DESCRIPTOR;
}

static int littlefs_flags(int flags) {
    static const int access[] = {
        [O_RDONLY] = LFS_O_RDONLY, [O_WRONLY] = LFS_O_WRONLY, [O_RDWR] = LFS_O_RDWR};
    return access[flags & O_ACCMODE] | (flags & O_CREAT ? LFS_O_CREAT : 0) |
           (flags & O_EXCL ? LFS_O_EXCL : 0) | (flags & O_TRUNC ? LFS_O_TRUNC : 0) |
           (flags & O_APPEND ? LFS_O_APPEND : 0);
}

int SYSTEM_CALL(open)(const char *path, int flags, ...) {
    if (strcmp(path, FILES_DEVICE) == 0)
        return FILES_FIRST_DESCRIPTOR - 1;
    int index = 0;
    while (index < FILES_OPEN_AT_ONCE && file_system.descriptors[index].open)
        index++;
    if (index == FILES_OPEN_AT_ONCE)
        return fail(-EMFILE);
    if ((flags & O_ACCMODE) == O_ACCMODE)
        return fail(-EINVAL);
    struct descriptor *found = &file_system.descriptors[index];
    found->config = (struct lfs_file_config){.buffer = found->cache};
    int error = lfs_file_opencfg(&file_system.lfs, &found->file, path, littlefs_flags(flags),
                                 &found->config);
    if (error)
        return fail(error);
    found->open = true;
    return FILES_FIRST_DESCRIPTOR + index;
}

int SYSTEM_CALL(close)(int number) {
    if (is_device(number))
        return 0;
    struct descriptor *closed = descriptor(number);
    if (closed == NULL)
        return fail(-EBADF);
    closed->open = false;
    return told(lfs_file_close(&file_system.lfs, &closed->file));
}

ssize_t SYSTEM_CALL(read)(int number, void *buffer, size_t size) {
    if (is_device(number))
        return DEVICE_GIVES(size);
    struct descriptor *from = descriptor(number);
    if (from == NULL || !(from->file.flags & LFS_O_RDONLY))
        return fail(-EBADF);
    return told(lfs_file_read(&file_system.lfs, &from->file, buffer, size));
}

ssize_t SYSTEM_CALL(write)(int number, const void *buffer, size_t size) {
    if (is_device(number))
        return (ssize_t)size;
    struct descriptor *to = descriptor(number);
    if (to == NULL || !(to->file.flags & LFS_O_WRONLY))
        return fail(-EBADF);
    return told(lfs_file_write(&file_system.lfs, &to->file, buffer, size));
}

off_t SYSTEM_CALL(lseek)(int number, off_t offset, int whence) {
    if (is_device(number))
        return 0;
    static const int origins[] = {
        [SEEK_SET] = LFS_SEEK_SET, [SEEK_CUR] = LFS_SEEK_CUR, [SEEK_END] = LFS_SEEK_END};
    struct descriptor *moved = descriptor(number);
    if (moved == NULL)
        return fail(-EBADF);
    if (whence < SEEK_SET || whence > SEEK_END)
        return fail(-EINVAL);
    return told(lfs_file_seek(&file_system.lfs, &moved->file, offset, origins[whence]));
}

static void describe(struct stat *status, bool directory, lfs_size_t size) {
    memset(status, 0, sizeof *status);
    status->st_mode = directory ? S_IFDIR | 0777 : S_IFREG | 0666;
    status->st_nlink = 1;
    status->st_size = size;
    status->st_blksize = DISK_BLOCK_BYTES;
}

int SYSTEM_CALL(fstat)(int number, struct stat *status) {
    struct descriptor *of = descriptor(number);
    if (of == NULL && !is_device(number))
        return fail(-EBADF);
    describe(status, false, of ? (lfs_size_t)lfs_file_size(&file_system.lfs, &of->file) : 0);
    return 0;
}

int SYSTEM_CALL(stat)(const char *path, struct stat *status) {
    struct lfs_info info;
    int error = lfs_stat(&file_system.lfs, path, &info);
    if (error)
        return fail(error);
    describe(status, info.type == LFS_TYPE_DIR, info.type == LFS_TYPE_DIR ? 0 : info.size);
    return 0;
}

int SYSTEM_CALL(unlink)(const char *path) {
    return told(lfs_remove(&file_system.lfs, path));
}

int SYSTEM_CALL(isatty)(int number) {
    errno = ENOTTY;
    return 0;
}

int mkdir(const char *path, mode_t mode) {
    return told(lfs_mkdir(&file_system.lfs, path));
}

int rename(const char *old, const char *new) {
    return told(lfs_rename(&file_system.lfs, old, new));
}

int fsync(int number) {
    struct descriptor *flushed = descriptor(number);
    if (flushed == NULL)
        return fail(-EBADF);
    return told(lfs_file_sync(&file_system.lfs, &flushed->file));
}
