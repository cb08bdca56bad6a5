/* Files: littlefs on a disk in RAM, under the C library's open, read, write, close and its streams.
 *
 * The constants below describe the disk and travel with every image as conditions. A block
 * costs its copying alone (disk.c), which has cases of its own. */
#ifndef FILES_H
#define FILES_H

#include "lfs.h"

/* Geometry, as struct lfs_config has it; DISK_BLOCK_COUNT is the board's. */
#define DISK_READ_BYTES 16
#define DISK_PROG_BYTES 16
#define DISK_BLOCK_BYTES 256
#define DISK_CACHE_BYTES 64
#ifndef DISK_LOOKAHEAD_BYTES
#define DISK_LOOKAHEAD_BYTES 8
#endif
#define DISK_BLOCK_CYCLES (-1) /* no wear levelling: RAM does not wear */
#define DISK_WAIT_CYCLES 0     /* of a block's operation, beside the copying */
#define DISK_BYTES (DISK_BLOCK_COUNT * DISK_BLOCK_BYTES)
#define DISK_LITTLEFS_MAJOR LFS_VERSION_MAJOR
#define DISK_LITTLEFS_MINOR LFS_VERSION_MINOR

/* Descriptors. Those below the first are of a device that takes every byte and has as many as are
 * asked for; its path opens no other. */
#define FILES_DEVICE "null"
#define FILES_FIRST_DESCRIPTOR 3
#ifndef FILES_OPEN_AT_ONCE
#define FILES_OPEN_AT_ONCE 4
#endif

struct descriptor {
    lfs_file_t file;
    bool open;
    struct lfs_file_config config;
    uint8_t cache[DISK_CACHE_BYTES];
};

/* All that changes beside the disk's blocks. */
struct file_system {
    lfs_t lfs;
    struct descriptor descriptors[FILES_OPEN_AT_ONCE];
    lfs_dir_t directory; /* the one that is read */
    uint32_t read_cache[DISK_CACHE_BYTES / 4];
    uint32_t prog_cache[DISK_CACHE_BYTES / 4];
    uint32_t lookahead[DISK_LOOKAHEAD_BYTES / 4];
};

extern struct file_system file_system;

/* How often each operation of the disk was asked for. */
struct disk_operations {
    uint32_t reads, progs, erases;
};

extern struct disk_operations disk_operations;
extern const struct lfs_config disk;

/* Makes `memory`, of DISK_BYTES, an erased disk. */
void disk_attach(void *memory);

/* The same for memory that is a disk already. */
void disk_use(void *memory);

uint8_t *disk_block(lfs_block_t block);

/* Its operations; each returns LFS_ERR_OK. */
int disk_read(const struct lfs_config *config, lfs_block_t block, lfs_off_t offset, void *buffer,
              lfs_size_t size);
int disk_program(const struct lfs_config *config, lfs_block_t block, lfs_off_t offset,
                 const void *buffer, lfs_size_t size);
int disk_erase(const struct lfs_config *config, lfs_block_t block);

#endif
