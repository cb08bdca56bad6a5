/* Shared by the library's cases. */
#ifndef LIBRARY_CASE_H
#define LIBRARY_CASE_H

#include "arena.h"
#include "case.h"

#define LIBRARY .library = "C"

/* A hook that makes the call once, untimed: what a library does at a function's first call only,
 * later ones find done. */
#define ONCE(hook, call)                            \
    static bool hook(const struct series *series) { \
        (void)(call);                               \
        return true;                                \
    }

/* An .after that holds if `condition`, which may use `result`, does. */
#define AFTER(hook, condition)                                        \
    static bool hook(const struct series *series, uintptr_t result) { \
        return condition;                                             \
    }

#endif
