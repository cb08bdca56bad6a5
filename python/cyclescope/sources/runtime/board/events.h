/* Events of a board's files and streams. They are entries of functions, by the function that they
 * were entered from, and copies by size and alignment. Others count what loops go through. */
#ifndef EVENTS_H
#define EVENTS_H

#include <stddef.h>

/* Functions whose entries are counted, as the board's image names them. */
/* clang-format off */
#define FUNCTIONS(X) \
    X(board_open) X(board_close) X(board_read) X(board_write) X(board_lseek) X(board_fstat) \
    X(board_stat) X(board_unlink) X(board_isatty) X(board_mkdir) X(board_rename) X(board_fsync) \
    X(lfs_bd_read) X(lfs_bd_cmp) X(lfs_bd_crc) X(lfs_bd_prog) X(lfs_bd_flush) X(lfs_bd_erase) \
    X(lfs_ctz_find) X(lfs_ctz_extend) X(lfs_ctz_index) X(lfs_ctz_traverse) X(lfs_alloc) \
    X(lfs_dir_fetchmatch) X(lfs_tag_isvalid) X(lfs_dir_getslice) X(lfs_dir_getread) \
    X(lfs_dir_traverse) X(lfs_dir_traverse_filter) X(lfs_dir_commitprog) X(lfs_dir_commitattr) \
    X(lfs_dir_commitcrc) X(lfs_dir_compact) X(lfs_dir_orphaningcommit) X(lfs_dir_find) \
    X(lfs_dir_find_match) X(lfs_crc) X(disk_read) X(disk_program) X(lfs_file_flushedread) \
    X(lfs_file_flushedwrite) X(lfs_file_flush) X(lfs_file_sync_) X(lfs_file_close_) \
    X(lfs_file_seek_) X(lfs_cache_zero) X(stream_fread) X(stream_srefill) X(stream_smakebuf) \
    X(stream_swbuf) X(stream_sflush) X(stream_fwrite) X(stream_fputs) X(stream_puts) \
    X(stream_fgets) X(stream_getc) X(stream_putc) X(stream_fopen) X(stream_fclose) \
    X(stream_fseek) X(stream_ftell) X(stream_swsetup) X(stream_sread) X(stream_swrite) \
    X(stream_sseek) X(stream_fflush) X(stream_ungetc) X(stream_setvbuf) X(stream_sinit) \
    X(stream_feof) X(stream_fputc) X(stream_fwalk) X(stream_lflush) X(stream_srget)
/* clang-format on */

/* Events that are no entries. */
/* clang-format off */
#define AMOUNTS(X) \
    X(crc_bytes) X(put_bytes) X(formatted_bytes) X(line_bytes) X(texts) X(text_bytes) \
    X(conversions) X(flags) X(padding) X(digits) X(hexadecimals) X(string_bytes) X(doubles) \
    X(double_digits) X(to_strings) X(scanned) X(scanned_spaces) X(scanned_digits) \
    X(scanned_bytes) X(scanned_doubles) X(scanned_texts) X(from_strings) X(stream_fprintf) \
    X(stream_fscanf) X(stream_sfputs) X(digit_bits) X(scanned_blanks) X(line_parts) \
    X(scanned_set_bytes) X(scanned_set_letters) X(sort_pieces) X(sort_compared) \
    X(sort_exchanged) X(sort_moved) X(sort_moved_words) X(sort_moved_bytes)
/* clang-format on */

enum {
#define NUMBER(name) FUNCTION_##name,
    FUNCTIONS(NUMBER) FUNCTION_COUNT,
#undef NUMBER
#define NUMBER(name) AMOUNT_##name,
    AMOUNT_FIRST = FUNCTION_COUNT - 1,
    AMOUNTS(NUMBER) EVENT_NAMES,
#undef NUMBER
    COPY_SHORT = EVENT_NAMES,
    COPY_ALIGNED,
    COPY_UNALIGNED,
    CLEAR,
    EVENT_KINDS
};

/* Counts `times` of an event; x is the size of a copy, or the function that entered this one. */
void event(unsigned kind, unsigned x, unsigned long long times);

/* Whether events are counted: 0 while a disk is prepared. */
extern int events_count;

#endif
