/* Linux as the programs of this board see it. Without an MMU they may read the kernel's memory. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdint.h>

/* CONFIG_HZ */
#define SYSTEM_TICK_HZ 100

/* The ticks so far: the kernel's `jiffies`. */
extern const volatile uint32_t *board_system_ticks;

static inline uint32_t system_ticks(void) {
    return *board_system_ticks;
}

#endif
