/* As the library's configuration makes it, but for its version. */
#include "libaec.h.in"
