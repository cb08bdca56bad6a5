/* Plans whose points are measured one after the other, without a host, while something outside
 * records the pin (firmware/include/points.h). */
#ifndef RECORDING_H
#define RECORDING_H

#include <stdint.h>

#include "case.h"

struct recorded_plan {
    void (*const *points)(struct timing *);
    uint16_t count;
};

/* All of the image in their order, collected by the linker as cases are. */
extern CONSTANT struct recorded_plan recorded_begin[] __asm__("cases_begin");
extern CONSTANT struct recorded_plan recorded_end[] __asm__("cases_end");

#define PLAN(identifier, name_, call_, callee_, condition_, ...)                 \
    static void (*const identifier##_points[])(struct timing *) = {__VA_ARGS__}; \
    static const struct recorded_plan identifier                                 \
        __attribute__((section(".cases"), used, no_reorder)) = {                 \
            .points = identifier##_points,                                       \
            .count = sizeof identifier##_points / sizeof(void (*)(void)),        \
    };

#endif
