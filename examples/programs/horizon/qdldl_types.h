/* As the configuration of QDLDL makes it. */
#ifndef QDLDL_TYPES_H
#define QDLDL_TYPES_H
#include <limits.h>

typedef int QDLDL_int;
typedef double QDLDL_float;
typedef unsigned char QDLDL_bool;

#define QDLDL_INT_MAX INT_MAX
#endif
