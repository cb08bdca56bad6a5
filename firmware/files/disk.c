/* The disk: blocks in RAM, copied by the C library's memcpy(). Nothing waits; an erased byte is
 * 0xFF as in a flash. */
#include <string.h>

#include "files.h"

struct disk_operations disk_operations;

static uint8_t *blocks;

void disk_attach(void *memory) {
    blocks = memory;
    for (uint32_t *word = memory; word < (uint32_t *)memory + DISK_BYTES / 4; word++)
        *word = UINT32_MAX;
    disk_operations = (struct disk_operations){0, 0, 0};
}

void disk_use(void *memory) {
    blocks = memory;
}

uint8_t *disk_block(lfs_block_t block) {
    return blocks + block * DISK_BLOCK_BYTES;
}

int disk_read(const struct lfs_config *config, lfs_block_t block, lfs_off_t offset, void *buffer,
              lfs_size_t size) {
    disk_operations.reads++;
    memcpy(buffer, disk_block(block) + offset, size);
    return LFS_ERR_OK;
}

int disk_program(const struct lfs_config *config, lfs_block_t block, lfs_off_t offset,
                 const void *buffer, lfs_size_t size) {
    disk_operations.progs++;
    memcpy(disk_block(block) + offset, buffer, size);
    return LFS_ERR_OK;
}

int disk_erase(const struct lfs_config *config, lfs_block_t block) {
    disk_operations.erases++;
    memset(disk_block(block), 0xFF, DISK_BLOCK_BYTES);
    return LFS_ERR_OK;
}

/* Nothing is held back. */
static int synchronise(const struct lfs_config *config) {
    return LFS_ERR_OK;
}

const struct lfs_config disk = {
    .read = disk_read,
    .prog = disk_program,
    .erase = disk_erase,
    .sync = synchronise,
    .read_size = DISK_READ_BYTES,
    .prog_size = DISK_PROG_BYTES,
    .block_size = DISK_BLOCK_BYTES,
    .block_count = DISK_BLOCK_COUNT,
    .block_cycles = DISK_BLOCK_CYCLES,
    .cache_size = DISK_CACHE_BYTES,
    .lookahead_size = DISK_LOOKAHEAD_BYTES,
    .read_buffer = file_system.read_cache,
    .prog_buffer = file_system.prog_cache,
    .lookahead_buffer = file_system.lookahead,
};
