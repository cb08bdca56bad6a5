/* A fragment: the code that is to be timed, in a file of C (docs/how-to/fragments.md).
 *
 *     EXECUTE { sum = add(3, 4); }        what is timed. The only part that every fragment has
 *     INITIALISE { list_clear(&list); }   needed before each execution, timed separately
 *     PREPARE(round) { key = round; }     what is not timed: comes before each measurement of round
 *                                         0, 1, 2, … of all measurements that are compared
 *
 * Each is the body of a function. An execution is one call of it: branch, body, return.
 */
#ifndef FRAGMENT_H
#define FRAGMENT_H

#include <stdint.h>

#ifdef __cplusplus
#define FRAGMENT_PART extern "C"
#else
#define FRAGMENT_PART
#endif

/* Nothing that calls them is compiled for what they do, and nothing of them for who calls. */
#define EXECUTE                                \
    FRAGMENT_PART void fragment_execute(void); \
    FRAGMENT_PART __attribute__((noipa, aligned(64))) void fragment_execute(void)
#define INITIALISE                                \
    FRAGMENT_PART void fragment_initialise(void); \
    FRAGMENT_PART __attribute__((noipa, aligned(64))) void fragment_initialise(void)
#define PREPARE(round)                                                        \
    FRAGMENT_PART void fragment_prepare(uint32_t);                            \
    FRAGMENT_PART __attribute__((noipa)) void fragment_prepare(uint32_t round \
                                                               __attribute__((unused)))

/* Uses a value, so that what made it is not left out. */
#define KEEP(value) __asm volatile("" : : "g"(value) : "memory")

/* Changes a variable, as far as the compiler can know, so that nothing is computed beforehand. */
#define OPAQUE(variable) __asm volatile("" : "+g"(variable) : : "memory")

#endif
