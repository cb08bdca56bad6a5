/* The port uses these of the runtime of counted programs, and its clock. */
#ifndef COUNTED_KERNEL_H
#define COUNTED_KERNEL_H

#include <stddef.h>

#include "counted.h"

/* Parts of a cycle that the clock counts. */
#define CLOCK_PARTS 16

/* Until the next tick, and between two. */
extern long long cyclescope_tick_cycles;

/* Parts of cycles of a passage of kernel code. */
long long cyclescope_price(const long long *value);

#endif
