/* As the library's configuration makes it, but for its version. */
#include "h3api.h.in"
