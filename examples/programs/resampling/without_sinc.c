/* libsamplerate without its converters by sinc functions, whose tables take more than a megabyte:
 * in the place of its src_sinc.c. */
#include <stddef.h>

#include "common.h"

const char *sinc_get_name(int src_enum) {
    (void)src_enum;
    return NULL;
}

const char *sinc_get_description(int src_enum) {
    (void)src_enum;
    return NULL;
}

int sinc_set_converter(SRC_PRIVATE *psrc, int src_enum) {
    (void)psrc;
    (void)src_enum;
    return SRC_ERR_BAD_CONVERTER;
}
