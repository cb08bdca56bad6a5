/* Measures the points of each plan, again and again, for whoever records the pin. Nobody talks to
 * this program: what an edge belongs to follows from its place in the order. */
#include "recording.h"

#include <stdbool.h>

#include "board.h"
#include "fragment.h"
#include "timer.h"
#ifdef REFERENCE
#include "reference.h"
#endif

/* Waits, in iterations of three or more cycles each. They separate edges, and mark where a plan and
 * where all of them begin. */
enum {
    ITERATION_CYCLES = 3,
    QUIET_US = 20,
    BEFORE_PLAN_US = 1000,
    BEFORE_ALL_US = 5000,
};
#define ITERATIONS(us) ((uint16_t)(BOARD_CORE_HZ / 1000000 * (us) / ITERATION_CYCLES))

/* Measurements of each plan, in the order of the plans. */
static const uint16_t measurements[] = {MEASUREMENTS};

/* The parts of a fragment that are not measured here (firmware/include/fragment.h). */
extern void fragment_prepare(uint32_t round) __attribute__((weak));
extern void fragment_initialise(void) __attribute__((weak));

static void wait(uint16_t iterations) {
    for (; iterations > 0; iterations--)
        OPAQUE(iterations);
}

/* A random time, so that the samples of a recorder fall elsewhere from one measurement to the next:
 * 0 to 124 iterations, all equally likely. At 1 MHz their edges have all the phases to 192,000
 * samples a second that whole cycles can have. The upper half of a linear congruential generator
 * of 32 bits (Press et al., Numerical Recipes in C, 7.1). */
static void wait_at_random(void) {
    static uint32_t state = SEED;
    state = state * UINT32_C(1664525) + UINT32_C(1013904223);
    for (uint8_t turns = (uint8_t)((state >> 16) * 125 >> 16); turns > 0; turns--)
        OPAQUE(turns);
}

static void measure_plan(void (*const *points)(struct timing *), uint16_t count,
                         uint16_t measured) {
    uint16_t at = 0;
    uint32_t round = 0;
    for (; measured > 0; measured--) {
        struct timing timing;
        wait(ITERATIONS(QUIET_US));
        wait_at_random();
        if (fragment_prepare)
            fragment_prepare(round);
        if (fragment_initialise)
            fragment_initialise();
        points[at](&timing);
        if (++at == count) {
            at = 0;
            round++;
        }
    }
}

static void measure_all(void) {
    CONSTANT struct recorded_plan *plan = recorded_begin;
    wait(ITERATIONS(BEFORE_ALL_US));
    for (unsigned i = 0; i < sizeof measurements / sizeof *measurements; i++, plan++) {
        wait(ITERATIONS(BEFORE_PLAN_US));
        measure_plan(plan->points, plan->count, measurements[i]);
    }
}

int main(void) {
    board_start();
    timer_start();
#ifdef REFERENCE
    reference_start();
#endif
    for (uint32_t done = 0; EXPERIMENTS == 0 || done < EXPERIMENTS; done++)
        measure_all();
    for (;;)
        board_sleep();
}
