/* Cases: what is timed. A case is declared once, beside its call, in the kernel's own API.
 *
 * TIMED_CASE makes two functions of one statement: the real call, and the same code with another
 * callee. That is a function of the same type that returns at once. The time of the second is the
 * overhead of the first. */
#ifndef CASE_H
#define CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "constants.h"
#include "probe.h"

/* One case timed `length` times; `index` counts the calls. */
struct series {
    uint32_t x;
    uint16_t length;
    uint16_t index;
};

/* The record of one timed call. */
struct timing {
    uint32_t start;
    uint32_t stop;
    uintptr_t result;
};

typedef void timed_function(const struct series *, struct timing *);

enum case_flags {
    CASE_MOVES = 1,          /* control moves to another task, which has the MOVED_PROBE */
    CASE_LENGTH_IS_LOAD = 2, /* every call adds to what the next one meets */
    CASE_INTERRUPT = 4       /* the call is made by an interrupt service routine */
};

/* The x that a call takes: from first to last, both included, every step-th integer. */
struct domain {
    uint32_t first, last, step;
};

struct timed_case {
    TEXT_FIELD(name, 47); /* set by the macros below */
    TEXT_FIELD(call, 127);
    TEXT_FIELD(callee, 47);
    TEXT_FIELD(function_class, 31);
    TEXT_FIELD(condition, 95);
    TEXT_FIELD(library, 15);
    TEXT_FIELD(parameter, 47); /* parameter and unit: x, if there is one */
    TEXT_FIELD(unit, 15);
    CONSTANT struct domain *domain; /* of x; NULL: the case has none */
    uint8_t flags;
    /* The resources of the condition; NULL: none. */
    uint32_t (*bytes)(const struct series *);               /* of heap that the series needs */
    bool (*set_up)(const struct series *);                  /* false: it could not be done */
    void (*before)(const struct series *);                  /* right before each real call: what the
                                                             harness itself could not work under */
    bool (*after)(const struct series *, uintptr_t result); /* after each real call: restores the
                                                             condition; false: the call failed */
    void (*tear_down)(const struct series *);               /* also after a set-up that failed */
    timed_function *real, *empty;                           /* set by the macros below */
};

/* The stopping time of a case that moves to another task, and whether it is there yet. A tick may
 * bring the harness back before the other task has come to its probe. */
extern volatile uint32_t moved_stop;
extern volatile bool moved;

/* The stopping probe in that other task, right behind its pending call. */
#define MOVED_PROBE(timer, case_name)                                   \
    do {                                                                \
        moved_stop = whole_stop(PROBE(timer, case_name ".real.moved")); \
        moved = true;                                                   \
    } while (0)

/* The reason of a hook that returned false: the system refused a call (NULL: the timed one) with
 * an error number (0: it was not the system). */
struct refusal {
    const char *call;
    uint32_t error;
};
extern struct refusal case_refusal;

/* All cases of the image, collected by the linker: pointers, or the structures themselves where
 * these lie beside the code. */
#ifdef __MEMX
extern CONSTANT struct timed_case cases_begin[], cases_end[];
/* An offset of 16 bits would not reach the last one. */
#define CASE_AT(index)                                      \
    ((CONSTANT struct timed_case *)((__uint24)cases_begin + \
                                    (__uint24)(index) * sizeof(struct timed_case)))
#define COLLECT(identifier, ...)              \
    static const struct timed_case identifier \
        __attribute__((section(".cases"), used, no_reorder)) = {__VA_ARGS__};
#else
extern const struct timed_case *const cases_begin[], *const cases_end[];
#define CASE_AT(index) (cases_begin[index])
#define COLLECT(identifier, ...)                               \
    static const struct timed_case identifier = {__VA_ARGS__}; \
    static const struct timed_case *const identifier##_entry   \
        __attribute__((section(".cases"), used, no_reorder)) = &identifier;
#endif

/* Fills in the record; a timer may have its own way. */
#ifndef KEEP_TIMING
#define KEEP_TIMING(timing, start_, stop_, result_)     \
    *(timing) = (struct timing) {                       \
        whole_start(start_), whole_stop(stop_), result_ \
    }
#endif

/* A function that times `statement`, which may use `series` and may set `result`; `prologue` comes
 * before everything else, `epilogue` right behind the stopping probe. In a section of its own,
 * which the link aligns or a layout places. So the real and the empty one lie alike in the lines of
 * any buffer of their fetches. */
#define TIMED_BETWEEN(identifier, label, prologue, statement, epilogue)          \
    __attribute__((section(".text.timed." #identifier))) static void identifier( \
        const struct series *series, struct timing *timing) {                    \
        prologue;                                                                \
        expect_start();                                                          \
        const volatile uint32_t *const timer_ = probe_timer();                   \
        uintptr_t result = 0;                                                    \
        const uint32_t start_ = PROBE(timer_, label ".start");                   \
        statement;                                                               \
        const uint32_t stop_ = PROBE(timer_, label ".stop");                     \
        epilogue;                                                                \
        (void)series;                                                            \
        KEEP_TIMING(timing, start_, stop_, result);                              \
    }
#define TIMED_FUNCTION(identifier, label, prologue, statement) \
    TIMED_BETWEEN(identifier, label, prologue, statement, )

/* CASE_CLASS, from the build, is the name of the file that declares it. */
#define DECLARE_CASE(identifier, name_, call_, callee_, ...)                                      \
    COLLECT(identifier, .name = name_, .call = call_, .callee = callee_,                          \
            .function_class = CASE_CLASS, .real = identifier##_real, .empty = identifier##_empty, \
            __VA_ARGS__)

/* Declares the case `function.condition`: `expression` is one call, which enters `callee`. Further
 * arguments are fields of struct timed_case: .condition, .library, .bytes, .set_up and .tear_down
 * always, the others where the case has them. */
#define TIMED_CASE(function, condition, callee_, expression, ...)                         \
    extern __typeof__(callee_) function##_##condition##_nothing __asm__("empty_call");    \
    TIMED_FUNCTION(function##_##condition##_real, #function "." #condition ".real", ,     \
                   result = (uintptr_t)(expression))                                      \
    TIMED_FUNCTION(function##_##condition##_empty, #function "." #condition ".empty",     \
                   __typeof__(&callee_) const callee_ = function##_##condition##_nothing, \
                   result = (uintptr_t)(expression))                                      \
    DECLARE_CASE(function##_##condition, #function "." #condition, #expression, #callee_, \
                 __VA_ARGS__)

/* The same for a callee that returns nothing. */
#define TIMED_ACTION(function, condition, callee_, expression, ...)                               \
    extern __typeof__(callee_) function##_##condition##_nothing __asm__("empty_call");            \
    TIMED_FUNCTION(function##_##condition##_real, #function "." #condition ".real", , expression) \
    TIMED_FUNCTION(function##_##condition##_empty, #function "." #condition ".empty",             \
                   __typeof__(&callee_) const callee_ = function##_##condition##_nothing,         \
                   expression)                                                                    \
    DECLARE_CASE(function##_##condition, #function "." #condition, #expression, #callee_,         \
                 __VA_ARGS__)

/* The same for a call that is one instruction and enters no function: its empty call is nothing. */
#define TIMED_INSTRUCTION(function, condition, instruction, statement, ...)                      \
    TIMED_FUNCTION(function##_##condition##_real, #function "." #condition ".real", , statement) \
    TIMED_FUNCTION(function##_##condition##_empty, #function "." #condition ".empty", , )        \
    DECLARE_CASE(function##_##condition, #function "." #condition, #statement, instruction,      \
                 __VA_ARGS__)

/* The same for a call that is several instructions of its caller, between two labels; they may
 * leave something on the stack. `before` stands before the starting probe, `behind` and, in the
 * empty call, `behind_nothing` right behind the stopping one. */
#define TIMED_INLINE(function, condition, instructions, before, statement, behind, behind_nothing, \
                     ...)                                                                          \
    TIMED_BETWEEN(function##_##condition##_real, #function "." #condition ".real", before,         \
                  __asm volatile("probe." #function "." #condition ".real.entry:");                \
                  statement;                                                                       \
                  __asm volatile("probe." #function "." #condition ".real.returned:"), behind)     \
    TIMED_BETWEEN(function##_##condition##_empty, #function "." #condition ".empty", before, ,     \
                  behind_nothing)                                                                  \
    DECLARE_CASE(function##_##condition, #function "." #condition, #statement, instructions,       \
                 __VA_ARGS__)

/* The domain of x, the least and the greatest of it included: every integer, or, where the call
 * itself takes no other, every `step`th one. The host chooses among them. */
#define X_FROM_TO(first_, last_) X_IN_STEPS(first_, last_, 1)
#define X_IN_STEPS(first_, last_, step_)  \
    .domain = &(CONSTANT struct domain) { \
        (first_), (last_), (step_)        \
    }

#endif
