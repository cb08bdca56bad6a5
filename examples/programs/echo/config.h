/* Of SpeexDSP, as its configuration makes it for a board without floating point. */
#define FIXED_POINT 1
#define USE_KISS_FFT 1
#define EXPORT
