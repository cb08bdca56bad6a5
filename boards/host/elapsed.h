/* Times of 64 bits as samples have them: 32 bits each, of which the difference must be right. */
#ifndef ELAPSED_H
#define ELAPSED_H

#include <stdint.h>

#include "wire.h"

#define KEEP_TIMES(timing, start, stop)                                                \
    do {                                                                               \
        if ((stop) - (start) > UINT32_MAX)                                             \
            wire_fault(FAULT_CHECK, 0, "a measurement took longer than 32 bits hold"); \
        *(timing) = (struct timing){(uint32_t)(start), (uint32_t)(stop), 0};           \
    } while (0)

#endif
