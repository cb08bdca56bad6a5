/* ctype.h, as functions: its macros are put aside. */
#include <ctype.h>

#include "library_case.h"

#undef isalnum
#undef isalpha
#undef isdigit
#undef isprint
#undef ispunct
#undef isspace
#undef isupper
#undef isxdigit
#undef tolower
#undef toupper

AFTER(holds, result != 0)
AFTER(is_upper_a, result == 'A')
AFTER(is_lower_a, result == 'a')
#define CHARACTER(function, character, after_)                          \
    TIMED_CASE(function, holds, function, function(character), LIBRARY, \
               .condition = "a character for which it holds", .after = after_)

CHARACTER(isalnum, 'a', holds)
CHARACTER(isalpha, 'a', holds)
CHARACTER(isdigit, '7', holds)
CHARACTER(isprint, 'a', holds)
CHARACTER(ispunct, '!', holds)
CHARACTER(isspace, ' ', holds)
CHARACTER(isupper, 'A', holds)
CHARACTER(isxdigit, 'f', holds)

TIMED_CASE(toupper, letter, toupper, toupper('a'), LIBRARY, .condition = "a small letter",
           .after = is_upper_a)
TIMED_CASE(tolower, letter, tolower, tolower('A'), LIBRARY, .condition = "a capital letter",
           .after = is_lower_a)
