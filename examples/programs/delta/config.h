/* Of librsync, as its configuration makes it for a board. */
#define HAVE_UNISTD_H 1
#define PACKAGE "librsync"
#define VERSION "2.2.2"
