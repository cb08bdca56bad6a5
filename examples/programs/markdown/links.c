/* Hoedown's autolink.c. Its header has an enumeration where it has an unsigned int, which are two
 * types where enumerations are short: the declarations get names of their own. */
#include <stddef.h>

#define hoedown_autolink__www declared_www
#define hoedown_autolink__email declared_email
#define hoedown_autolink__url declared_url
#include "autolink.h"
#undef hoedown_autolink__www
#undef hoedown_autolink__email
#undef hoedown_autolink__url

#include "autolink.c"
