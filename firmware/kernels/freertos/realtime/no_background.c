/* No background threads: what stands in for them where code and data share a memory that is too
 * small. */
#include "realtime.h"

const struct facility facilities[1];
const uint8_t facility_count = 0;
volatile uint32_t facility_calls[1];

bool background_set_up(struct background threads[BACKGROUND_THREADS]) {
    (void)threads;
    return false;
}

void background_tear_down(void) {}

bool memory_set_up(struct background threads[BACKGROUND_THREADS]) {
    (void)threads;
    return false;
}

void memory_tear_down(void) {}

bool io_set_up(struct background threads[BACKGROUND_THREADS]) {
    (void)threads;
    return false;
}

void io_tear_down(void) {}
