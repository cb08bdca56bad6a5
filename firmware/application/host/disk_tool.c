/* Makes a disk with files for a program on a board, and reads one after its run: littlefs itself,
 * with the geometry of the board's image.
 *
 * disk make IMAGE [FILE NAME]...   a disk that has each FILE under NAME
 * disk read IMAGE FOLDER           every file of the disk, into a folder of this machine */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"

enum { NAME_BYTES = 512, PART_BYTES = 4096 };

struct file_system file_system;

static uint32_t memory[DISK_BYTES / 4];

static void fail(const char *what, const char *name) {
    fprintf(stderr, "%s: %s\n", name, what);
    exit(1);
}

static void check(int result, const char *name) {
    if (result == LFS_ERR_NOSPC)
        fail("the disk is full", name);
    if (result < 0)
        fail("littlefs refuses it", name);
}

static void make_folders(const char *name) {
    char folder[NAME_BYTES];
    for (const char *end = strchr(name, '/'); end; end = strchr(end + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(end - name), name);
        int made = lfs_mkdir(&file_system.lfs, folder);
        if (made != LFS_ERR_EXIST)
            check(made, folder);
    }
}

static struct lfs_file_config config;
static uint8_t cache[DISK_CACHE_BYTES], part[PART_BYTES];

static void open_there(lfs_file_t *file, const char *name, int flags) {
    config.buffer = cache;
    check(lfs_file_opencfg(&file_system.lfs, file, name, flags, &config), name);
}

static void put(const char *from, const char *name) {
    FILE *source = fopen(from, "rb");
    lfs_file_t file;
    if (!source)
        fail("it cannot be read", from);
    make_folders(name);
    open_there(&file, name, LFS_O_WRONLY | LFS_O_CREAT);
    for (size_t bytes; (bytes = fread(part, 1, sizeof part, source)) > 0;)
        check(lfs_file_write(&file_system.lfs, &file, part, bytes), name);
    check(lfs_file_close(&file_system.lfs, &file), name);
    fclose(source);
}

static void get(const char *name, const char *to) {
    FILE *target = fopen(to, "wb");
    lfs_file_t file;
    if (!target)
        fail("it cannot be written", to);
    open_there(&file, name, LFS_O_RDONLY);
    for (lfs_ssize_t bytes;
         (bytes = lfs_file_read(&file_system.lfs, &file, part, sizeof part)) != 0;) {
        check(bytes, name);
        fwrite(part, 1, (size_t)bytes, target);
    }
    lfs_file_close(&file_system.lfs, &file);
    fclose(target);
}

static void get_all(const char *folder, const char *to) {
    lfs_dir_t directory;
    struct lfs_info info;
    check(lfs_dir_open(&file_system.lfs, &directory, folder), folder);
    while (lfs_dir_read(&file_system.lfs, &directory, &info) > 0) {
        char name[NAME_BYTES], target[NAME_BYTES];
        if (strcmp(info.name, ".") == 0 || strcmp(info.name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "%s/%s", folder, info.name);
        snprintf(target, sizeof target, "%s/%s", to, info.name);
        if (info.type == LFS_TYPE_REG) {
            get(name, target);
        } else {
            mkdir(target, 0777);
            get_all(name, target);
        }
    }
    lfs_dir_close(&file_system.lfs, &directory);
}

static void transfer(const char *image, const char *mode) {
    FILE *file = fopen(image, mode);
    size_t done = 0;
    if (file)
        done = *mode == 'r' ? fread(memory, 1, sizeof memory, file)
                            : fwrite(memory, 1, sizeof memory, file);
    if (!file || done != sizeof memory || fclose(file))
        fail("it is no disk of this size, or cannot be written", image);
}

int main(int argc, char **argv) {
    if (argc >= 3 && argc % 2 == 1 && strcmp(argv[1], "make") == 0) {
        disk_attach(memory);
        check(lfs_format(&file_system.lfs, &disk), argv[2]);
        check(lfs_mount(&file_system.lfs, &disk), argv[2]);
        for (int i = 3; i < argc; i += 2)
            put(argv[i], argv[i + 1]);
        check(lfs_unmount(&file_system.lfs), argv[2]);
        transfer(argv[2], "wb");
        return 0;
    }
    if (argc == 4 && strcmp(argv[1], "read") == 0) {
        transfer(argv[2], "rb");
        disk_use(memory);
        check(lfs_mount(&file_system.lfs, &disk), argv[2]);
        get_all("", argv[3]);
        return 0;
    }
    fail("make IMAGE [FILE NAME]... | read IMAGE FOLDER", argv[0]);
}
