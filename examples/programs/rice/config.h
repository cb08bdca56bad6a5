/* Of libaec, as its configuration makes it for a board. */
#define HAVE_DECL___BUILTIN_CLZLL 1
#define HAVE_SNPRINTF 1
