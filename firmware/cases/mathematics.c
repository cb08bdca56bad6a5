/* math.h, without a floating-point unit: functions of double. */
#include <math.h>

#include "library_case.h"

#define ONE_ARGUMENT(function, condition_, argument)                          \
    TIMED_ACTION(function, condition_, function, function(argument), LIBRARY, \
                 .condition = "of " #argument)

#ifndef __AVR__ /* there it is an instruction */
ONE_ARGUMENT(fabs, negative, -2.5)
#endif
ONE_ARGUMENT(floor, fraction, 2.512345678)
ONE_ARGUMENT(ceil, fraction, 2.512345678)
ONE_ARGUMENT(round, fraction, 2.512345678)
ONE_ARGUMENT(trunc, fraction, 2.512345678)
ONE_ARGUMENT(lrint, fraction, 2.512345678)
#ifndef __AVR__ /* avr-libc has one for float alone, or none */
ONE_ARGUMENT(rint, fraction, 2.512345678)
ONE_ARGUMENT(lround, fraction, 2.512345678)
ONE_ARGUMENT(log1p, half, 0.512345678)
ONE_ARGUMENT(expm1, half, 0.512345678)
ONE_ARGUMENT(exp2, half, 0.512345678)
ONE_ARGUMENT(tanh, half, 0.512345678)
ONE_ARGUMENT(tanh, two, 2.123456789)
ONE_ARGUMENT(tan, quarter_turn, 1.012345678)
ONE_ARGUMENT(tan, turns, 100.123456789)
ONE_ARGUMENT(asin, small, 0.251234567)
ONE_ARGUMENT(acos, small, 0.251234567)
ONE_ARGUMENT(atan, small, 0.251234567)
ONE_ARGUMENT(atan, one, 1.012345678)
ONE_ARGUMENT(atan, two, 2.123456789)
ONE_ARGUMENT(atan, large, 5.123456789)
#endif
ONE_ARGUMENT(cosh, half, 0.512345678)
ONE_ARGUMENT(sqrt, two, 2.123456789)
ONE_ARGUMENT(cbrt, two, 2.123456789)
ONE_ARGUMENT(sin, small, 0.512345678)
ONE_ARGUMENT(sin, turns, 100.123456789)
ONE_ARGUMENT(sin, many_turns, 1.2345678912e10)
ONE_ARGUMENT(sin, quarter_turn, 1.012345678)
ONE_ARGUMENT(cos, small, 0.512345678)
ONE_ARGUMENT(cos, quarter_turn, 1.012345678)
ONE_ARGUMENT(cos, turns, 100.123456789)
ONE_ARGUMENT(tan, small, 0.512345678)
ONE_ARGUMENT(asin, half, 0.512345678)
ONE_ARGUMENT(acos, half, 0.512345678)
ONE_ARGUMENT(atan, half, 0.512345678)
ONE_ARGUMENT(exp, tiny, 1e-10)
ONE_ARGUMENT(exp, small, 0.251234567)
ONE_ARGUMENT(exp, one, 0.751234567)
ONE_ARGUMENT(exp, two, 2.123456789)
ONE_ARGUMENT(exp, underflow, -1000.0)
ONE_ARGUMENT(log, three, 3.123456789)
ONE_ARGUMENT(log10, three, 3.123456789)
ONE_ARGUMENT(sinh, half, 0.512345678)

#define TWO_ARGUMENTS(function, condition_, text, ...) \
    TIMED_ACTION(function, condition_, function, function(__VA_ARGS__), LIBRARY, .condition = text)

TWO_ARGUMENTS(pow, square, "3.512345678 to the power of 2", 3.512345678, 2.0)
TWO_ARGUMENTS(pow, fraction, "3.512345678 to the power of 2.512345678", 3.512345678, 2.512345678)
TWO_ARGUMENTS(atan2, first_quadrant, "of 1.123456789, 2.123456789", 1.123456789, 2.123456789)
TWO_ARGUMENTS(hypot, three_four, "of 3.123456789, 4.123456789", 3.123456789, 4.123456789)
#ifndef __AVR__
TWO_ARGUMENTS(fmax, positive, "of 1.0, 2.0", 1.0, 2.0)
TWO_ARGUMENTS(fmin, positive, "of 1.0, 2.0", 1.0, 2.0)
TWO_ARGUMENTS(copysign, positive, "of 1.0, -2.0", 1.0, -2.0)
#endif
#ifndef __AVR__ /* its memory holds no more cases */
TWO_ARGUMENTS(pow, root, "3.512345678 to the power of 0.5", 3.512345678, 0.5)
TWO_ARGUMENTS(pow, itself, "3.512345678 to the power of 1", 3.512345678, 1.0)
TWO_ARGUMENTS(pow, reciprocal, "3.512345678 to the power of -1", 3.512345678, -1.0)
TWO_ARGUMENTS(pow, one, "3.512345678 to the power of 0", 3.512345678, 0.0)
TWO_ARGUMENTS(fdim, positive, "of 2.123456789, 1.123456789", 2.123456789, 1.123456789)
TWO_ARGUMENTS(remainder, positive, "of 20.123456789, 3.123456789", 20.123456789, 3.123456789)
TWO_ARGUMENTS(fmod, smaller, "of 1.123456789, 2.123456789", 1.123456789, 2.123456789)
TWO_ARGUMENTS(scalbn, half, "0.512345678 times 2 to the power of 10", 0.512345678, 10)
ONE_ARGUMENT(cos, many_turns, 1.2345678912e10)
ONE_ARGUMENT(tan, many_turns, 1.2345678912e10)
ONE_ARGUMENT(log, near_one, 1.212345678)
ONE_ARGUMENT(log10, near_one, 1.212345678)
ONE_ARGUMENT(tanh, large, 25.123456789)
ONE_ARGUMENT(sinh, large, 25.123456789)
ONE_ARGUMENT(cosh, large, 25.123456789)
ONE_ARGUMENT(asinh, two, 2.123456789)
ONE_ARGUMENT(acosh, two, 2.123456789)
ONE_ARGUMENT(atanh, half, 0.512345678)
ONE_ARGUMENT(erf, half, 0.512345678)
ONE_ARGUMENT(erfc, half, 0.512345678)
ONE_ARGUMENT(tgamma, two, 2.123456789)
ONE_ARGUMENT(lgamma, two, 2.123456789)
ONE_ARGUMENT(nearbyint, fraction, 2.512345678)
ONE_ARGUMENT(logb, ten, 10.123456789)
ONE_ARGUMENT(ilogb, ten, 10.123456789)

/* Numbers without a fraction, and those below one. */
#define WHOLE_AND_SMALL(function)            \
    ONE_ARGUMENT(function, whole, 42.0)      \
    ONE_ARGUMENT(function, small, 0.3123456) \
    ONE_ARGUMENT(function, negative, -2.512345678)

WHOLE_AND_SMALL(floor)
WHOLE_AND_SMALL(ceil)
WHOLE_AND_SMALL(round)
WHOLE_AND_SMALL(trunc)
WHOLE_AND_SMALL(rint)
WHOLE_AND_SMALL(lrint)
WHOLE_AND_SMALL(lround)
WHOLE_AND_SMALL(nearbyint)
#endif

TWO_ARGUMENTS(ldexp, half, "0.5 times 2 to the power of 10", 0.5, 10)

static double whole;
static int exponent;

TWO_ARGUMENTS(modf, fraction, "of 2.5", 2.5, &whole)
TWO_ARGUMENTS(frexp, ten, "of 10.0", 10.0, &exponent)

#ifndef __AVR__ /* its memory holds no more cases */
TWO_ARGUMENTS(modf, whole, "of 42.0", 42.0, &whole)
TWO_ARGUMENTS(modf, small, "of 0.3123456", 0.3123456, &whole)
TWO_ARGUMENTS(modf, negative, "of -2.512345678", -2.512345678, &whole)
#endif

/* The remainder, of two numbers whose exponents differ by x. */

static double large;

static bool raise(const struct series *series) {
    large = ldexp(1.75, (int)series->x);
    return true;
}

TIMED_ACTION(fmod, powers_apart, fmod, fmod(large, 1.5), LIBRARY,
             .condition = "of 1.75 times 2 to the power of x, by 1.5", .parameter = "exponent",
             .unit = "bit", X_FROM_TO(0, sizeof(double) > 4 ? 512 : 120), .set_up = raise)
