/* Of liblzma: LZMA2 with a sum of 32 bits; one thread. */
#define HAVE_INTTYPES_H 1
#define HAVE_STDINT_H 1
#define HAVE_STDBOOL_H 1
#define HAVE_STRING_H 1
#define HAVE_CHECK_CRC32 1
#define HAVE_ENCODERS 1
#define HAVE_ENCODER_LZMA2 1
#define HAVE_DECODERS 1
#define HAVE_DECODER_LZMA2 1
#define HAVE_MF_HC3 1
#define HAVE_MF_HC4 1
#define HAVE_MF_BT2 1
#define HAVE_MF_BT3 1
#define HAVE_MF_BT4 1
#define NDEBUG 1
