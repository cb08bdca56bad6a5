/* math.h, without a floating-point unit: functions of float. */
#include <math.h>

#include "library_case.h"

#define OF_FLOAT(function, condition_, text, ...) \
    TIMED_ACTION(function, condition_, function, function(__VA_ARGS__), LIBRARY, .condition = text)

OF_FLOAT(fabsf, negative, "of -2.5", -2.5f)
OF_FLOAT(floorf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(ceilf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(roundf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(truncf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(rintf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(lrintf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(lroundf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(fmaxf, positive, "of 1.0, 2.0", 1.0f, 2.0f)
OF_FLOAT(fminf, positive, "of 1.0, 2.0", 1.0f, 2.0f)
OF_FLOAT(sqrtf, two, "of 2.12345", 2.12345f)
OF_FLOAT(sinf, small, "of 0.51234", 0.51234f)
OF_FLOAT(sinf, turns, "of 100.12345", 100.12345f)
OF_FLOAT(sinf, quarter_turn, "of 1.01234", 1.01234f)
OF_FLOAT(cosf, small, "of 0.51234", 0.51234f)
OF_FLOAT(cosf, quarter_turn, "of 1.01234", 1.01234f)
OF_FLOAT(cosf, turns, "of 100.12345", 100.12345f)
OF_FLOAT(tanf, small, "of 0.51234", 0.51234f)
OF_FLOAT(tanf, quarter_turn, "of 1.01234", 1.01234f)
OF_FLOAT(tanf, turns, "of 100.12345", 100.12345f)
OF_FLOAT(asinf, half, "of 0.51234", 0.51234f)
OF_FLOAT(acosf, half, "of 0.51234", 0.51234f)
OF_FLOAT(atanf, small, "of 0.25123", 0.25123f)
OF_FLOAT(atanf, half, "of 0.51234", 0.51234f)
OF_FLOAT(atanf, one, "of 1.01234", 1.01234f)
OF_FLOAT(atanf, large, "of 5.12345", 5.12345f)
OF_FLOAT(hypotf, three_four, "of 3.12345, 4.12345", 3.12345f, 4.12345f)
OF_FLOAT(tanhf, half, "of 0.51234", 0.51234f)
OF_FLOAT(tanhf, two, "of 2.12345", 2.12345f)
OF_FLOAT(atan2f, first_quadrant, "of 1.12345, 2.12345", 1.12345f, 2.12345f)
OF_FLOAT(expf, small, "of 0.25123", 0.25123f)
OF_FLOAT(expf, one, "of 0.75123", 0.75123f)
OF_FLOAT(expf, two, "of 2.12345", 2.12345f)
OF_FLOAT(log2f, three, "of 3.12345", 3.12345f)
OF_FLOAT(log10f, three, "of 3.12345", 3.12345f)
OF_FLOAT(logf, three, "of 3.12345", 3.12345f)
OF_FLOAT(powf, fraction, "3.51234 to the power of 2.51234", 3.51234f, 2.51234f)
OF_FLOAT(fmodf, whole, "of 100.0, by 7.5", 100.0f, 7.5f)
#ifndef __AVR__ /* its memory holds no more cases */
OF_FLOAT(powf, square, "3.51234 to the power of 2", 3.51234f, 2.0f)
OF_FLOAT(powf, root, "3.51234 to the power of 0.5", 3.51234f, 0.5f)
OF_FLOAT(powf, itself, "3.51234 to the power of 1", 3.51234f, 1.0f)
OF_FLOAT(powf, reciprocal, "3.51234 to the power of -1", 3.51234f, -1.0f)
OF_FLOAT(powf, one, "3.51234 to the power of 0", 3.51234f, 0.0f)
OF_FLOAT(sinf, many_turns, "of 1000.12345", 1000.12345f)
OF_FLOAT(cosf, many_turns, "of 1000.12345", 1000.12345f)
OF_FLOAT(tanf, many_turns, "of 1000.12345", 1000.12345f)
OF_FLOAT(asinf, small, "of 0.25123", 0.25123f)
OF_FLOAT(acosf, small, "of 0.25123", 0.25123f)
OF_FLOAT(logf, near_one, "of 1.21234", 1.21234f)
OF_FLOAT(log10f, near_one, "of 1.21234", 1.21234f)
OF_FLOAT(log2f, near_one, "of 1.21234", 1.21234f)
OF_FLOAT(tanhf, large, "of 25.12345", 25.12345f)
OF_FLOAT(sinhf, half, "of 0.51234", 0.51234f)
OF_FLOAT(coshf, half, "of 0.51234", 0.51234f)
OF_FLOAT(sinhf, large, "of 25.12345", 25.12345f)
OF_FLOAT(coshf, large, "of 25.12345", 25.12345f)
OF_FLOAT(cbrtf, two, "of 2.12345", 2.12345f)
OF_FLOAT(exp2f, half, "of 0.51234", 0.51234f)
OF_FLOAT(expm1f, half, "of 0.51234", 0.51234f)
OF_FLOAT(log1pf, half, "of 0.51234", 0.51234f)
OF_FLOAT(asinhf, two, "of 2.12345", 2.12345f)
OF_FLOAT(acoshf, two, "of 2.12345", 2.12345f)
OF_FLOAT(atanhf, half, "of 0.51234", 0.51234f)
OF_FLOAT(fdimf, positive, "of 2.12345, 1.12345", 2.12345f, 1.12345f)
OF_FLOAT(fmodf, smaller, "of 1.12345, 2.12345", 1.12345f, 2.12345f)
OF_FLOAT(remainderf, positive, "of 20.12345, 3.12345", 20.12345f, 3.12345f)
OF_FLOAT(nearbyintf, fraction, "of 2.51234", 2.51234f)
OF_FLOAT(ldexpf, half, "0.51234 times 2 to the power of 10", 0.51234f, 10)
OF_FLOAT(scalbnf, half, "0.51234 times 2 to the power of 10", 0.51234f, 10)

static float whole;
static int exponent;

OF_FLOAT(frexpf, ten, "of 10.12345", 10.12345f, &exponent)
OF_FLOAT(modff, fraction, "of 2.51234", 2.51234f, &whole)
OF_FLOAT(modff, whole, "of 42.0", 42.0f, &whole)
OF_FLOAT(modff, small, "of 0.31234", 0.31234f, &whole)
OF_FLOAT(modff, negative, "of -2.51234", -2.51234f, &whole)

#define WHOLE_AND_SMALL(function)                     \
    OF_FLOAT(function, whole, "of 42.0", 42.0f)       \
    OF_FLOAT(function, small, "of 0.31234", 0.31234f) \
    OF_FLOAT(function, negative, "of -2.51234", -2.51234f)

WHOLE_AND_SMALL(floorf)
WHOLE_AND_SMALL(ceilf)
WHOLE_AND_SMALL(roundf)
WHOLE_AND_SMALL(truncf)
WHOLE_AND_SMALL(rintf)
WHOLE_AND_SMALL(lrintf)
WHOLE_AND_SMALL(lroundf)
WHOLE_AND_SMALL(nearbyintf)

/* The remainder, of two numbers whose exponents differ by x. */

static float large;

static bool raise(const struct series *series) {
    large = ldexpf(1.75f, (int)series->x);
    return true;
}

TIMED_ACTION(fmodf, powers_apart, fmodf, fmodf(large, 1.5f), LIBRARY,
             .condition = "of 1.75 times 2 to the power of x, by 1.5", .parameter = "exponent",
             .unit = "bit", X_FROM_TO(0, 120), .set_up = raise)
#endif
