/* As the library's configuration makes it. */
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define SIZEOF_INT 4
#define SIZEOF_LONG __SIZEOF_LONG__
#define SIZEOF_VOIDP __SIZEOF_POINTER__
#define SIZEOF_LONG_LONG 8
