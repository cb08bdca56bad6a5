/* newlib has what PQClean wants of this header in another; other C libraries have it here. */
#if __has_include_next(<features.h>)
#include_next <features.h>
#else
#include <sys/features.h>
#endif
