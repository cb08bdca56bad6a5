/* math.h, without a floating-point unit: functions of double. */
#include <math.h>

#include "library_case.h"

#define ONE_ARGUMENT(function, condition_, argument)                          \
    TIMED_ACTION(function, condition_, function, function(argument), LIBRARY, \
                 .condition = "of " #argument)

#ifndef __AVR__ /* there it is an instruction */
ONE_ARGUMENT(fabs, negative, -2.5)
#endif
ONE_ARGUMENT(floor, fraction, 2.5)
ONE_ARGUMENT(ceil, fraction, 2.5)
ONE_ARGUMENT(round, fraction, 2.5)
ONE_ARGUMENT(trunc, fraction, 2.5)
ONE_ARGUMENT(lrint, fraction, 2.5)
#ifndef __AVR__ /* avr-libc has one for float alone, or none */
ONE_ARGUMENT(rint, fraction, 2.5)
ONE_ARGUMENT(lround, fraction, 2.5)
ONE_ARGUMENT(log1p, half, 0.5)
ONE_ARGUMENT(expm1, half, 0.5)
ONE_ARGUMENT(exp2, half, 0.5)
ONE_ARGUMENT(tanh, half, 0.5)
ONE_ARGUMENT(tanh, two, 2.0)
ONE_ARGUMENT(tan, quarter_turn, 1.0)
ONE_ARGUMENT(tan, turns, 100.0)
ONE_ARGUMENT(asin, small, 0.25)
ONE_ARGUMENT(acos, small, 0.25)
ONE_ARGUMENT(atan, small, 0.25)
ONE_ARGUMENT(atan, one, 1.0)
ONE_ARGUMENT(atan, two, 2.0)
ONE_ARGUMENT(atan, large, 5.0)
#endif
ONE_ARGUMENT(cosh, half, 0.5)
ONE_ARGUMENT(sqrt, two, 2.0)
ONE_ARGUMENT(cbrt, two, 2.0)
ONE_ARGUMENT(sin, small, 0.5)
ONE_ARGUMENT(sin, turns, 100.0)
ONE_ARGUMENT(sin, many_turns, 1e10)
ONE_ARGUMENT(sin, quarter_turn, 1.0)
ONE_ARGUMENT(cos, small, 0.5)
ONE_ARGUMENT(cos, quarter_turn, 1.0)
ONE_ARGUMENT(cos, turns, 100.0)
ONE_ARGUMENT(tan, small, 0.5)
ONE_ARGUMENT(asin, half, 0.5)
ONE_ARGUMENT(acos, half, 0.5)
ONE_ARGUMENT(atan, half, 0.5)
ONE_ARGUMENT(exp, tiny, 1e-10)
ONE_ARGUMENT(exp, small, 0.25)
ONE_ARGUMENT(exp, one, 0.75)
ONE_ARGUMENT(exp, two, 2.0)
ONE_ARGUMENT(exp, underflow, -1000.0)
ONE_ARGUMENT(log, three, 3.0)
ONE_ARGUMENT(log10, three, 3.0)
ONE_ARGUMENT(sinh, half, 0.5)

#define TWO_ARGUMENTS(function, condition_, text, ...) \
    TIMED_ACTION(function, condition_, function, function(__VA_ARGS__), LIBRARY, .condition = text)

TWO_ARGUMENTS(pow, square, "3.5 to the power of 2", 3.5, 2.0)
TWO_ARGUMENTS(pow, fraction, "3.5 to the power of 2.5", 3.5, 2.5)
TWO_ARGUMENTS(atan2, first_quadrant, "of 1.0, 2.0", 1.0, 2.0)
TWO_ARGUMENTS(hypot, three_four, "of 3.0, 4.0", 3.0, 4.0)
#ifndef __AVR__
TWO_ARGUMENTS(fmax, positive, "of 1.0, 2.0", 1.0, 2.0)
TWO_ARGUMENTS(fmin, positive, "of 1.0, 2.0", 1.0, 2.0)
TWO_ARGUMENTS(copysign, positive, "of 1.0, -2.0", 1.0, -2.0)
#endif
TWO_ARGUMENTS(ldexp, half, "0.5 times 2 to the power of 10", 0.5, 10)

static double whole;
static int exponent;

TWO_ARGUMENTS(modf, fraction, "of 2.5", 2.5, &whole)
TWO_ARGUMENTS(frexp, ten, "of 10.0", 10.0, &exponent)

/* The remainder, of two numbers whose exponents differ by x. */

static double large;

static bool raise(const struct series *series) {
    large = ldexp(1.75, (int)series->x);
    return true;
}

TIMED_ACTION(fmod, powers_apart, fmod, fmod(large, 1.5), LIBRARY,
             .condition = "of 1.75 times 2 to the power of x, by 1.5", .parameter = "exponent",
             .unit = "bit", X_FROM_TO(0, sizeof(double) > 4 ? 512 : 120), .set_up = raise)
