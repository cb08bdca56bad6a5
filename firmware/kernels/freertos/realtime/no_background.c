/* No load: what stands in for it where code and data share a memory that is too small. */
#include "realtime.h"

const struct facility facilities[1];
const uint8_t facility_count = 0;
volatile uint32_t facility_calls[1], underway[BACKGROUND_THREADS + 1];

bool load_start(const struct batch *batch) {
    return batch->load_percent == 0;
}

void load_begin(void) {
    pausing_begins(false, 0);
}

uint16_t load_end(void) {
    return 0;
}

void load_interrupt(void) {}

bool load_stop(void) {
    return true;
}
