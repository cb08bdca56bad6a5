/* Configure finds neither threads nor vector instructions nor Ogg. */
#define PACKAGE_VERSION "1.4.3"
#define FLAC__HAS_OGG 0
#define CPU_IS_BIG_ENDIAN 0
#define ENABLE_64_BIT_WORDS 0
#define FLAC__NO_ASM 1
#define HAVE_STDINT_H 1
#define HAVE_INTTYPES_H 1
#define HAVE_FSEEKO 1
#define HAVE_LROUND 1
