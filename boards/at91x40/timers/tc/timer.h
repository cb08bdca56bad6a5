/* Channel 2 of the timer counter (AT91X40 data sheet) at MCK / 2. Probes read its 16 bits. TIOA2
 * rises with each of its revolutions, and channel 1, which alarm and line leave to it, counts them.
 */
#ifndef TIMER_H
#define TIMER_H

#include <stdint.h>

#include "registers.h"
#include "tc.h"

#define TIMER_NAME "tc"
#define TIMER_HZ (BOARD_CORE_HZ / 2)
#define TIMER_COUNT ((const volatile uint32_t *)&AT91C_BASE_TC2->TC_CV)
#define TIMER_PROBE_BITS 16

/* The revolutions are read again, for one may end between the two readings. */
static inline uint32_t timer_now(void) {
    uint32_t revolutions, count;
    do {
        revolutions = AT91C_BASE_TC1->TC_CV;
        count = AT91C_BASE_TC2->TC_CV;
    } while (AT91C_BASE_TC1->TC_CV != revolutions);
    return revolutions << TIMER_PROBE_BITS | count;
}

#include "memory_timer.h"

/* TIOA2 rises at 0 and falls half a revolution later; the trigger raises it for channel 1. */
static inline void timer_start(void) {
    AT91C_BASE_TC1->TC_CMR = TC_WAVE | TC_CLKS_XC1;
    AT91C_BASE_TC1->TC_CCR = TC_CLKEN | TC_SWTRG;
    AT91C_BASE_TC2->TC_CMR = TC_CLKS_MCK2 | TC_WAVE | TC_ASWTRG_SET | TC_ACPA_SET | TC_ACPC_CLEAR;
    AT91C_BASE_TC2->TC_RA = 0;
    AT91C_BASE_TC2->TC_RC = 1u << (TIMER_PROBE_BITS - 1);
    AT91C_BASE_TC_BLOCK->TC_BMR = TC_XC1_TIOA2;
    AT91C_BASE_TC2->TC_CCR = TC_CLKEN | TC_SWTRG;
}

#endif
