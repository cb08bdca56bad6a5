/* Linux as the programs of this board see it. Without an MMU they may read the kernel's memory. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "registers.h"

/* CONFIG_HZ */
#ifndef SYSTEM_TICK_HZ
#define SYSTEM_TICK_HZ 100
#endif

/* Between two looks at the wire. Where timers end at ticks alone, this is until the next one. */
#ifndef SYSTEM_POLL_NS
#define SYSTEM_POLL_NS 1
#endif

/* The ticks so far: the kernel's `jiffies`. */
extern const volatile uint32_t *board_system_ticks;

static inline uint32_t system_ticks(void) {
    return *board_system_ticks;
}

/* The time of the last tick in ns of CLOCK_MONOTONIC, and its number: the kernel's
 * `last_jiffies_update`, of kernels with timers of high resolution. */
uint64_t system_last_tick(uint32_t *ticks);

/* Cycles to the next interrupt of the timer, by which the tick comes: channel 2, at MCK / 1024. */
uint32_t system_cycles_to_tick(void);

/* Where the clock of Linux is counted, in units of two cycles: its low half, channel 0. */
#define SYSTEM_CLOCK_COUNT "0xFFFE0010"

/* The kernel's interrupt that a program asks for (linux/kernel/realtime.patch): how often it was
 * taken, and the timer's count when its handler began the last time. */
struct system_interrupt {
    volatile uint32_t taken, count;
};
extern const struct system_interrupt *system_interrupt;
#define SYSTEM_ASK_FOR_INTERRUPT() (AT91C_BASE_AIC->AIC_ISCR = 1 << 1)

/* Prepares the system for real-time threads; false: it refused. */
bool system_prepare_realtime(void);

#endif
