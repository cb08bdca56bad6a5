/* Load on devices: registers on the slow bus, written and read back, without a call of the kernel.
 * The register keeps what is written and does nothing. */
#include "background.h"

enum { ACCESSES = 32 };

static void write_registers(struct background *self) {
    for (int i = 0; i < ACCESSES; i++)
        BOARD_SCRATCH = self->random;
}

static void read_registers(struct background *self) {
    (void)self;
    for (int i = 0; i < ACCESSES; i++)
        (void)BOARD_SCRATCH;
}

static const struct step of_devices[] = {{write_registers}, {read_registers}};

bool io_set_up(struct background threads[BACKGROUND_THREADS]) {
    for (int i = 0; i < BACKGROUND_THREADS; i++)
        threads[i] = (struct background)STEPS(of_devices);
    return true;
}

void io_tear_down(void) {}
