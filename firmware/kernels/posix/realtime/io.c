/* Load by input and output: a file in the folder for temporary files, written and read back. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "background.h"

enum { BLOCK_BYTES = 4096, BLOCKS = 64 };

static int file = -1;

static off_t somewhere(struct background *self) {
    return (off_t)(next_random(&self->random) % BLOCKS) * BLOCK_BYTES;
}

static void write_block(struct background *self) {
    static const char block[BLOCK_BYTES];
    (void)!pwrite(file, block, sizeof block, somewhere(self));
}

static void read_block(struct background *self) {
    char block[BLOCK_BYTES];
    (void)!pread(file, block, sizeof block, somewhere(self));
}

static const struct step of_files[] = {{write_block}, {read_block}};

bool io_set_up(struct background threads[BACKGROUND_THREADS]) {
    char name[] = "/tmp/cyclescope-XXXXXX";
    for (int i = 0; i < BACKGROUND_THREADS; i++)
        threads[i] = (struct background)STEPS(of_files);
    file = mkstemp(name);
    return file >= 0 && unlink(name) == 0;
}

void io_tear_down(void) {
    close(file);
    file = -1;
}
