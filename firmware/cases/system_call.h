/* The names of the system calls below a C library: picolibc uses those of POSIX,
 * newlib the same with an underscore. */
#ifndef SYSTEM_CALL_H
#define SYSTEM_CALL_H

#include <errno.h>

#ifdef __PICOLIBC__
#define SYSTEM_CALL(name) name
#else
#define SYSTEM_CALL(name) _##name
#endif

#endif
