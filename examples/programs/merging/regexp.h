/* Surroundings that xdiff takes from libgit2. */
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int unused;
} git_regexp;

typedef struct {
    long start, end;
} git_regmatch;

#define GIT_INLINE(type) static inline type
#define GIT_UNUSED(x) ((void)(x))
#define GIT_UNUSED_ARG __attribute__((unused))
#define GIT_ASSERT(x) ((void)(x))

#define git__malloc malloc
#define git__calloc calloc
#define git__realloc realloc
#define git__free free
