/* What the library's cases share. */
#ifndef LIBRARY_CASE_H
#define LIBRARY_CASE_H

#include "arena.h"
#include "case.h"

#define LIBRARY .library = "C"

#endif
