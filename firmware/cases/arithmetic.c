/* Operators for which the core has no instruction: the compiler calls functions of its own
 * (Run-time ABI for the Arm Architecture, sections 4.1 and 4.3). They come from libgcc, whatever
 * the C library. */
#include <stdint.h>

#include "library_case.h"

#define COMPILER .library = "libgcc"

extern double __aeabi_dadd(double, double), __aeabi_dsub(double, double),
    __aeabi_dmul(double, double), __aeabi_ddiv(double, double), __aeabi_i2d(int),
    __aeabi_f2d(float);
extern float __aeabi_fadd(float, float), __aeabi_fmul(float, float), __aeabi_fdiv(float, float),
    __aeabi_i2f(int), __aeabi_d2f(double);
extern int __aeabi_dcmplt(double, double), __aeabi_d2iz(double), __aeabi_fcmplt(float, float),
    __aeabi_f2iz(float), __aeabi_idiv(int, int);
extern unsigned __aeabi_uidiv(unsigned, unsigned);
extern int64_t __aeabi_lmul(int64_t, int64_t), __aeabi_ldivmod(int64_t, int64_t),
    __aeabi_idivmod(int, int);
extern uint64_t __aeabi_uldivmod(uint64_t, uint64_t), __aeabi_uidivmod(unsigned, unsigned);

#define OPERATOR(function, condition_, text, ...) \
    TIMED_ACTION(function, condition_, function, function(__VA_ARGS__), COMPILER, .condition = text)

OPERATOR(__aeabi_dadd, doubles, "1.5 + 2.25", 1.5, 2.25)
OPERATOR(__aeabi_dadd, cancels, "1.5 + -1.4375: leading digits cancel", 1.5, -1.4375)
OPERATOR(__aeabi_dsub, doubles, "1.5 - 2.25", 1.5, 2.25)
OPERATOR(__aeabi_dmul, doubles, "1.5 * 2.25", 1.5, 2.25)
OPERATOR(__aeabi_ddiv, doubles, "1.0 / 3.0", 1.0, 3.0)
OPERATOR(__aeabi_dcmplt, doubles, "1.5 < 2.25", 1.5, 2.25)
OPERATOR(__aeabi_i2d, integer, "(double)1000", 1000)
OPERATOR(__aeabi_d2iz, double, "(int)1000.5", 1000.5)
OPERATOR(__aeabi_f2d, float, "(double)2.25f", 2.25f)
OPERATOR(__aeabi_d2f, double, "(float)2.25", 2.25)
OPERATOR(__aeabi_fadd, floats, "1.5f + 2.25f", 1.5f, 2.25f)
OPERATOR(__aeabi_fmul, floats, "1.5f * 2.25f", 1.5f, 2.25f)
OPERATOR(__aeabi_fdiv, floats, "1.0f / 3.0f", 1.0f, 3.0f)
OPERATOR(__aeabi_fcmplt, floats, "1.5f < 2.25f", 1.5f, 2.25f)
OPERATOR(__aeabi_i2f, integer, "(float)1000", 1000)
OPERATOR(__aeabi_f2iz, float, "(int)1000.5f", 1000.5f)
OPERATOR(__aeabi_lmul, 64_bits, "64 bits times 64 bits", 0x123456789, 0x987654321)
OPERATOR(__aeabi_ldivmod, 64_bits, "-0x123456789abc / 1000", -0x123456789abc, 1000)
OPERATOR(__aeabi_uldivmod, 64_bits, "0x123456789abc / 1000", 0x123456789abc, 1000)
OPERATOR(__aeabi_idiv, negative, "-1000 / 7", -1000, 7)
OPERATOR(__aeabi_idiv, power_of_two, "-1000 / 8", -1000, 8)

OPERATOR(__aeabi_idivmod, positive, "1000 / 7, and what remains", 1000, 7)
OPERATOR(__aeabi_uidivmod, positive, "1000 / 7, and what remains", 1000, 7)
OPERATOR(__aeabi_uidiv, smaller, "6 / 7", 6, 7)

/* Unsigned, with a quotient of x bits. One remains, without which the loop would end early. */

static uint32_t dividend;

static bool shift(const struct series *series) {
    dividend = (3u << (series->x - 1)) + 1;
    return true;
}

TIMED_CASE(__aeabi_uidiv, quotient, __aeabi_uidiv, __aeabi_uidiv(dividend, 3), COMPILER,
           .condition = "by 3", .parameter = "bits of the quotient", .unit = "bit",
           X_FROM_TO(1, 31), .set_up = shift)
