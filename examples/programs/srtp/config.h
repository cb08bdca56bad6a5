/* libsrtp for a board: its own ciphers, no sockets. */
#include <inttypes.h>
#include <stdint.h>
#include <sys/types.h>

#ifndef PRIx64
#define PRIx64 "llx"
#endif

/* libsrtp takes them for the same. */
#define uint32_t unsigned int

#define PACKAGE_VERSION "2.3.0"
#define PACKAGE_STRING "libsrtp2 2.3.0"
#define CPU_CISC 1
#define HAVE_NETINET_IN_H 1
#define HAVE_STDLIB_H 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_SYS_TYPES_H 1
#define HAVE_UINT8_T 1
#define HAVE_UINT16_T 1
#define HAVE_UINT32_T 1
#define HAVE_INT32_T 1
#define HAVE_UINT64_T 1
