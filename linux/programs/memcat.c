/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Writes bytes of memory to standard output: memcat ADDRESS BYTES. Without an MMU a program reads
 * all memory, so that data may come to a file system from the ROM.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    if (argc != 3) {
        fputs("usage: memcat ADDRESS BYTES\n", stderr);
        return 2;
    }
    const char *next = (const char *)strtoul(argv[1], NULL, 0);
    unsigned long left = strtoul(argv[2], NULL, 0);
    while (left > 0) {
        ssize_t written = write(STDOUT_FILENO, next, left);
        if (written <= 0) {
            perror("memcat: write error");
            return 1;
        }
        next += written;
        left -= (unsigned long)written;
    }
    return 0;
}
