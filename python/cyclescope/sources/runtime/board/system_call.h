/* The calls of firmware/files/descriptors.c under names that this machine's library has not. */
#ifndef SYSTEM_CALL_H
#define SYSTEM_CALL_H

#include <errno.h>

#define SYSTEM_CALL(name) board_##name
#define mkdir board_mkdir
#define rename board_rename
#define fsync board_fsync

#endif
