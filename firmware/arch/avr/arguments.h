/* Points whose copies are calls with arguments (arguments.S). Each execution comes after a call of
 * fragment_load, which is its initialisation. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "points.h"

/* The arguments as they were captured: how many bytes of them are on the stack in the first two
 * bytes, r8 to r25, and those bytes. */
extern const uint8_t *fragment_record;

/* Makes the user's arguments, which lie in fragment_record while `measure` runs. */
void fragment_arguments(point *measure, struct timing *timing);

/* Loads the arguments of the next execution; the second executes INITIALISE before. Those that are
 * not in registers belong where the caller's stack ends. */
void fragment_load(void);
void fragment_initialise_and_load(void);

/* Loading changes registers that any other call preserves: nothing may be kept in them. */
#define REGISTERS_OF_ARGUMENTS_CHANGE \
    __asm volatile("" : : : "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "r16", "r17")

#define POINT_WITH_ARGUMENTS(identifier, copies)                                                  \
    __attribute__((aligned(64), section(".text.timed"), noipa)) static void measure_##identifier( \
        struct timing *timing) {                                                                  \
        void *on_stack_ = __builtin_alloca(*(const uint16_t *)fragment_record);                   \
        __asm volatile("" : : "r"(on_stack_) : "memory");                                         \
        REGISTERS_OF_ARGUMENTS_CHANGE;                                                            \
        POINT_START("fragment." #identifier);                                                     \
        copies POINT_STOP("fragment." #identifier, timing);                                       \
        REGISTERS_OF_ARGUMENTS_CHANGE;                                                            \
    }                                                                                             \
    static void point_##identifier(struct timing *timing) {                                       \
        fragment_arguments(measure_##identifier, timing);                                         \
    }

#endif
