/* math.h, without a floating-point unit: functions of float. */
#include <math.h>

#include "library_case.h"

#define OF_FLOAT(function, condition_, text, ...) \
    TIMED_ACTION(function, condition_, function, function(__VA_ARGS__), LIBRARY, .condition = text)

OF_FLOAT(fabsf, negative, "of -2.5", -2.5f)
OF_FLOAT(floorf, fraction, "of 2.5", 2.5f)
OF_FLOAT(sqrtf, two, "of 2.0", 2.0f)
OF_FLOAT(sinf, small, "of 0.5", 0.5f)
OF_FLOAT(sinf, turns, "of 100.0", 100.0f)
OF_FLOAT(cosf, small, "of 0.5", 0.5f)
OF_FLOAT(atan2f, first_quadrant, "of 1.0, 2.0", 1.0f, 2.0f)
OF_FLOAT(expf, two, "of 2.0", 2.0f)
OF_FLOAT(logf, three, "of 3.0", 3.0f)
OF_FLOAT(powf, fraction, "3.5 to the power of 2.5", 3.5f, 2.5f)
OF_FLOAT(fmodf, whole, "of 100.0, by 7.5", 100.0f, 7.5f)
