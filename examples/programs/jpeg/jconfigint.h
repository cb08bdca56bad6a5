/* libjpeg's configuration of its own sources. */
#define BUILD "cyclescope"
#define INLINE inline
#define HIDDEN
#define THREAD_LOCAL
#define SIZEOF_SIZE_T 4
#define FALLTHROUGH
#define PACKAGE_NAME "mozjpeg"
#define VERSION "4"
