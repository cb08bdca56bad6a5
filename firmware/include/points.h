/* Points and plans: what the lab's generated C is written in.
 *
 * A point is one measurement: copies of calls between two probes. Its copies are straight calls of
 * functions without arguments in another file. So each is one instruction, and the compiler can
 * neither leave one out nor put anything between them. A plan is one case: a series of it takes the
 * plan's points one after the other, round by round. */
#ifndef POINTS_H
#define POINTS_H

#include "board.h"
#include "case.h"
#include "harness.h"
#include "probe.h"

typedef void point(struct timing *);

/* The symbols fragment.<identifier>.start and .stop are its probes. */
#define POINT(identifier, copies)                                                               \
    __attribute__((aligned(64), section(".text.timed"), noipa)) static void point_##identifier( \
        struct timing *timing) {                                                                \
        POINT_START("fragment." #identifier);                                                   \
        copies POINT_STOP("fragment." #identifier, timing);                                     \
    }

/* Copies in a loop, as anybody would write it; the compiler knows no bound. */
#define LOOP(turns, copies)                              \
    {                                                    \
        uint32_t turns_ = turns;                         \
        __asm volatile("" : "+r"(turns_));               \
        for (uint32_t turn = 0; turn < turns_; turn++) { \
            copies                                       \
        }                                                \
    }

/* The fragment. Optional parts may be missing, unless a plan's point executes them. */
void fragment_execute(void) EXECUTED;
void fragment_initialise(void) INITIALISATION;
void fragment_prepare(uint32_t round) __attribute__((weak));

/* One execution that ends where the lab has put a trap, at the latest at its end. A board without
 * it cannot leave fragments early. */
void fragment_leave(void (*execute)(void)) __attribute__((weak));

/* Runs before a measurement of a round, untimed. */
static inline void plan_prepare(uint32_t round) {
    void (*const prepare)(uint32_t) = fragment_prepare;
    void (*const initialise)(void) = fragment_initialise;
    if (prepare)
        prepare(round);
    if (initialise)
        initialise();
}

static inline void take_point(point *measure, struct timing *timing) {
    expect_start();
    measure(timing);
    timing->start = whole_start(timing->start);
    timing->stop = whole_stop(timing->stop);
}

/* Takes the next point of a plan; after a rest twice, so that what got cold is warm again. */
static inline void plan_measure(point *const *points, size_t count, const struct series *series,
                                struct timing *timing) {
    point *const measure = points[series->index % count];
    for (int times = board_rest() ? 2 : 1; times > 0; times--) {
        plan_prepare(series->index / count);
        take_point(measure, timing);
    }
    if (!board_stack_sound())
        wire_fault(FAULT_STACK, 0, "the fragment");
}

#ifdef RECORDING
#include "recording.h"
#else
/* The point without copies: the empty call of every plan. */
POINT(n0, )
static void plan_nothing(const struct series *series, struct timing *timing) {
    take_point(point_n0, timing);
}

#define PLAN(identifier, name_, call_, callee_, condition_, ...) \
    PLAN_WITH(identifier, name_, call_, callee_, condition_, NULL, __VA_ARGS__)

#define PLAN_WITH(identifier, name_, call_, callee_, condition_, set_up_, ...)                    \
    static point *const identifier##_points[] = {__VA_ARGS__};                                    \
    static void identifier##_measure(const struct series *series, struct timing *timing) {        \
        plan_measure(identifier##_points, sizeof identifier##_points / sizeof(point *), series,   \
                     timing);                                                                     \
    }                                                                                             \
    COLLECT(identifier, .name = name_, .call = call_, .callee = callee_, .condition = condition_, \
            .library = "fragment", .set_up = set_up_, .real = identifier##_measure,               \
            .empty = plan_nothing)

#endif

#endif
