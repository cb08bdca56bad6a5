/* The second file of reached.c: a static function of the same name, and one that it exports. */
#include "inline_header.h"

static int helper(int value) {
    return clamped(value, 50) + 1;
}

int shared(int (*function)(int), int value) {
    return function(helper(value)) + helper(function(value));
}
