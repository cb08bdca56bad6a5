/* Linux as the programs of the host see it: its tick is hidden from them, so no sample is kept
 * clear of it. That is what medians are for. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#define SYSTEM_TICK_HZ 0

static inline uint32_t system_ticks(void) {
    return 0;
}

/* The lab sees and says what the system refuses. */
static inline bool system_prepare_realtime(void) {
    return true;
}

#endif
