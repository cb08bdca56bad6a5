/* The system below the library: one device, which takes every byte and has as many as are asked
 * for. Descriptors of files, where there is a disk, take its place (files/descriptors.c). */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "system_call.h"
#include "wire.h"

#define WEAK __attribute__((weak))

WEAK int SYSTEM_CALL(open)(const char *path, int flags, int mode) {
    (void)path, (void)flags, (void)mode;
    return 3;
}

WEAK int SYSTEM_CALL(close)(int descriptor) {
    (void)descriptor;
    return 0;
}

WEAK int SYSTEM_CALL(read)(int descriptor, void *data, size_t bytes) {
    (void)descriptor, (void)data;
    return (int)bytes;
}

WEAK int SYSTEM_CALL(write)(int descriptor, const void *data, size_t bytes) {
    (void)descriptor, (void)data;
    return (int)bytes;
}

WEAK long SYSTEM_CALL(lseek)(int descriptor, long offset, int whence) {
    (void)descriptor, (void)offset, (void)whence;
    return 0;
}

WEAK int SYSTEM_CALL(fstat)(int descriptor, struct stat *found) {
    (void)descriptor;
    memset(found, 0, sizeof *found);
    found->st_mode = S_IFREG;
    return 0;
}

WEAK int SYSTEM_CALL(isatty)(int descriptor) {
    (void)descriptor;
    return 0;
}

/* abort() ends with these; nothing here calls it. */

int SYSTEM_CALL(kill)(int process, int signal) {
    (void)process, (void)signal;
    return -1;
}

int SYSTEM_CALL(getpid)(void) {
    return 1;
}

void _exit(int status) {
    wire_fault(FAULT_CHECK, (uint32_t)status, "the C library gave up");
}

#ifdef __PICOLIBC__
/* picolibc leaves the standard streams to the program; here is none. */
FILE *const stdin = NULL, *const stdout = NULL;
#endif
