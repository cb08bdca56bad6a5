/* Points whose copies are calls with arguments (arguments.S, load.c). Each execution comes after a
 * call of fragment_load, which is its initialisation. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "points.h"

/* The arguments as they were captured: how many bytes of them are on the stack, r0 to r3, and
 * those bytes. */
extern const uint32_t *fragment_record;

/* Makes the user's arguments, which lie in fragment_record while `measure` runs. */
void fragment_arguments(point *measure, struct timing *timing);

/* Loads the arguments of the next execution; the second executes INITIALISE before. Of what is not
 * in registers they find the address in r6, and where it belongs in sp. */
void fragment_load(void);
void fragment_initialise_and_load(void);

#define POINT_WITH_ARGUMENTS(identifier, copies)                                                  \
    __attribute__((aligned(64), section(".text.timed"), noipa)) static void measure_##identifier( \
        struct timing *timing) {                                                                  \
        register const uint32_t *record_ __asm__("r6") = fragment_record;                         \
        void *on_stack_ = __builtin_alloca(*record_);                                             \
        __asm volatile("" : "+r"(record_) : "r"(on_stack_) : "memory");                           \
        POINT_START("fragment." #identifier);                                                     \
        copies __asm volatile("" : : "r"(record_));                                               \
        POINT_STOP("fragment." #identifier, timing);                                              \
    }                                                                                             \
    static void point_##identifier(struct timing *timing) {                                       \
        fragment_arguments(measure_##identifier, timing);                                         \
    }

#endif
