/* How samples of an instrument are packed: signed, of 16 bits, each predicted by the one before. */
#include "libaec.h"

#define CODER                                               \
    {                                                       \
        .bits_per_sample = 16, .block_size = 16, .rsi = 64, \
        .flags = AEC_DATA_SIGNED | AEC_DATA_PREPROCESS      \
    }
