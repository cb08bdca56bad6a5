/* Turned points and their plans, for programs of a system: the copies of each are the body of a
 * loop, written behind the fragment (python/cyclescope/firmware/fragment/iterations.py). All points
 * of a plan go round equally often: as the environment says, in a variable named as the plan. */
#ifndef TURNS_H
#define TURNS_H

#include <stdlib.h>

#include "points.h"

static uint32_t plan_turns;

static bool take_turns(const char *plan) {
    const char *told = getenv(plan);
    plan_turns = told ? (uint32_t)strtoul(told, NULL, 10) : 1;
    return plan_turns > 0;
}

#define TURNED_POINT(identifier)                      \
    void fragment_turns_##identifier(unsigned turns); \
    POINT(identifier, fragment_turns_##identifier(plan_turns);)

#define TURNED_PLAN(identifier, name_, call_, callee_, condition_, ...) \
    static bool identifier##_take_turns(const struct series *series) {  \
        (void)series;                                                   \
        return take_turns(name_);                                       \
    }                                                                   \
    PLAN_WITH(identifier, name_, call_, callee_, condition_, identifier##_take_turns, __VA_ARGS__)

#endif
