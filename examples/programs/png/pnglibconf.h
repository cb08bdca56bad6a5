/* The library as it is delivered. */
#include "scripts/pnglibconf.h.prebuilt"
