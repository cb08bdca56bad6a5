/* Operators for which the core has no instruction: the compiler calls functions of its own
 * (Run-time ABI for the Arm Architecture, sections 4.1 and 4.3). They come from libgcc, whatever
 * the C library. */
#include <stdint.h>

#include "library_case.h"

#define COMPILER .library = "libgcc"

extern double __aeabi_dadd(double, double), __aeabi_dsub(double, double),
    __aeabi_dmul(double, double), __aeabi_ddiv(double, double), __aeabi_i2d(int),
    __aeabi_l2d(int64_t), __aeabi_f2d(float);
extern float __aeabi_fadd(float, float), __aeabi_fsub(float, float), __aeabi_fmul(float, float),
    __aeabi_fdiv(float, float), __aeabi_i2f(int), __aeabi_d2f(double);
extern int __aeabi_dcmple(double, double), __aeabi_dcmpeq(double, double),
    __aeabi_dcmpge(double, double), __aeabi_dcmpgt(double, double), __aeabi_dcmpun(double, double),
    __aeabi_fcmple(float, float), __aeabi_fcmpeq(float, float), __aeabi_fcmpge(float, float),
    __aeabi_fcmpgt(float, float), __aeabi_fcmpun(float, float);
extern int __aeabi_dcmplt(double, double), __aeabi_d2iz(double), __aeabi_fcmplt(float, float),
    __aeabi_f2iz(float), __aeabi_idiv(int, int), __aeabi_lcmp(int64_t, int64_t),
    __aeabi_ulcmp(uint64_t, uint64_t);
extern unsigned __aeabi_uidiv(unsigned, unsigned);
extern int64_t __aeabi_lmul(int64_t, int64_t), __aeabi_ldivmod(int64_t, int64_t),
    __aeabi_idivmod(int, int), __aeabi_lasr(int64_t, int), __aeabi_d2lz(double);
extern uint64_t __aeabi_uldivmod(uint64_t, uint64_t), __aeabi_uidivmod(unsigned, unsigned),
    __aeabi_llsl(uint64_t, int), __aeabi_llsr(uint64_t, int);
extern double __aeabi_ui2d(unsigned), __aeabi_ul2d(uint64_t);
extern float __aeabi_ui2f(unsigned), __aeabi_l2f(int64_t), __aeabi_ul2f(uint64_t);
extern unsigned __aeabi_d2uiz(double), __aeabi_f2uiz(float);
extern int64_t __aeabi_f2lz(float);
extern uint64_t __aeabi_d2ulz(double), __aeabi_f2ulz(float);

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
OPERATOR(__aeabi_dadd, zero, "0.0 + 2.25", 0.0, 2.25)
OPERATOR(__aeabi_dmul, zero, "0.0 * 2.25", 0.0, 2.25)
OPERATOR(__aeabi_ddiv, zero, "0.0 / 2.25", 0.0, 2.25)
OPERATOR(__aeabi_fadd, zero, "0.0f + 2.25f", 0.0f, 2.25f)
OPERATOR(__aeabi_fmul, zero, "0.0f * 2.25f", 0.0f, 2.25f)
OPERATOR(__aeabi_fdiv, zero, "0.0f / 2.25f", 0.0f, 2.25f)
OPERATOR(__aeabi_dadd, opposite, "2.25 + -2.25", 2.25, -2.25)
OPERATOR(__aeabi_dadd, twice, "2.25 + 2.25", 2.25, 2.25)
OPERATOR(__aeabi_dadd, far, "2.25 + 1e-20: it changes no digit", 2.25, 1e-20)
OPERATOR(__aeabi_dmul, power_of_two, "0.5 * 2.25", 0.5, 2.25)
OPERATOR(__aeabi_ddiv, power_of_two, "2.25 / 0.5", 2.25, 0.5)
OPERATOR(__aeabi_fadd, opposite, "2.25f + -2.25f", 2.25f, -2.25f)
OPERATOR(__aeabi_fadd, twice, "2.25f + 2.25f", 2.25f, 2.25f)
OPERATOR(__aeabi_fadd, far, "2.25f + 1e-10f: it changes no digit", 2.25f, 1e-10f)
OPERATOR(__aeabi_fadd, cancels, "1.5f + -1.4375f: leading digits cancel", 1.5f, -1.4375f)
OPERATOR(__aeabi_fmul, power_of_two, "0.5f * 2.25f", 0.5f, 2.25f)
OPERATOR(__aeabi_fdiv, power_of_two, "2.25f / 0.5f", 2.25f, 0.5f)
OPERATOR(__aeabi_fadd, floats, "1.5f + 2.25f", 1.5f, 2.25f)
OPERATOR(__aeabi_fmul, floats, "1.5f * 2.25f", 1.5f, 2.25f)
OPERATOR(__aeabi_fdiv, floats, "1.0f / 3.0f", 1.0f, 3.0f)
OPERATOR(__aeabi_fcmplt, floats, "1.5f < 2.25f", 1.5f, 2.25f)
OPERATOR(__aeabi_i2f, integer, "(float)1000", 1000)
OPERATOR(__aeabi_f2iz, float, "(int)1000.5f", 1000.5f)
OPERATOR(__aeabi_lmul, 64_bits, "64 bits times 64 bits", 0x123456789, 0x987654321)
OPERATOR(__aeabi_llsl, 64_bits, "64 bits << 5", 0x123456789, 5)
OPERATOR(__aeabi_llsr, 64_bits, "64 bits >> 5", 0x123456789, 5)
OPERATOR(__aeabi_lasr, 64_bits, "64 bits >> 5, signed", 0x123456789, 5)
OPERATOR(__aeabi_lcmp, 64_bits, "64 bits < 64 bits", 0x123456789, 0x987654321)
OPERATOR(__aeabi_ulcmp, 64_bits, "64 bits < 64 bits, unsigned", 0x123456789, 0x987654321)
OPERATOR(__aeabi_l2d, 64_bits, "(double)0x123456789", 0x123456789)
OPERATOR(__aeabi_d2lz, 64_bits, "(int64_t)123456789000.5", 123456789000.5)
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

/* The same of signed numbers, and with what remains. The remainder is one as well. */

#define QUOTIENT(function, dividend_, divisor, last, set_up_)                                   \
    TIMED_CASE(function, quotient, function, function(dividend_, divisor), COMPILER,            \
               .condition = "by " #divisor, .parameter = "bits of the quotient", .unit = "bit", \
               X_FROM_TO(1, last), .set_up = set_up_)

QUOTIENT(__aeabi_idiv, (int)dividend, 3, 30, shift)
QUOTIENT(__aeabi_idivmod, (int)dividend, 3, 30, shift)
QUOTIENT(__aeabi_uidivmod, dividend, 3, 31, shift)

/* Divisions of 64 bits take longer for each bit of the quotient that is set, so every second one
 * is. They are made for dividends beyond 32 bits: the divisor is a large prime. */

static int64_t long_dividend;

static bool shift_long(const struct series *series) {
    long_dividend = (int64_t)(1000003 * (0xaaaaaaaaaaaaaaaaull >> (64 - series->x)) + 1);
    return true;
}

QUOTIENT(__aeabi_ldivmod, long_dividend, 1000003, 43, shift_long)
QUOTIENT(__aeabi_uldivmod, (uint64_t)long_dividend, 1000003, 43, shift_long)

OPERATOR(__aeabi_idiv, smaller, "6 / 7", 6, 7)
OPERATOR(__aeabi_idivmod, smaller, "6 / 7, and what remains", 6, 7)
OPERATOR(__aeabi_uidivmod, smaller, "6 / 7, and what remains", 6, 7)
OPERATOR(__aeabi_uldivmod, smaller, "6 / 7, and what remains", 6, 7)
OPERATOR(__aeabi_ldivmod, smaller, "6 / 7, and what remains", 6, 7)

/* The time of floating point depends on exponents, digits and on what is negative. So x chooses a
 * pair of numbers that were drawn at random. Their exponents differ by 8 at most. */

static const float floats[] = {-0.27430806f, 13.908127f,  1.8340932f,  -97.316055f, 0.061283472f,
                               5.7729311f,   -3.3981524f, 0.9126458f,  42.650291f,  -0.7350142f,
                               -18.042957f,  2.6190375f,  0.18827166f, -6.461829f,  -0.5310984f,
                               71.239418f,   1.2076943f};
static const double doubles[] = {
    -0.27430806452117, 13.908127330198,  1.8340932771045,  -97.316055218603, 0.061283472910046,
    5.7729311048627,   -3.3981524409136, 0.91264580350721, 42.650291730644,  -0.73501426619483,
    -18.042957081236,  2.6190375460718,  0.18827166490315, -6.4618290357742, -0.53109842175066,
    71.239418612093,   1.2076943580947};
static float float_a, float_b;
static double double_a, double_b;

static bool choose_pair(const struct series *series) {
    float_a = floats[series->x - 1];
    float_b = floats[series->x];
    double_a = doubles[series->x - 1];
    double_b = doubles[series->x];
    return true;
}

#define PAIRS(function, ...)                                                          \
    TIMED_CASE(function, pairs, function, function(__VA_ARGS__), COMPILER,            \
               .condition = "one of 16 pairs", .parameter = "pair", .unit = "number", \
               X_FROM_TO(1, 16), .set_up = choose_pair)

PAIRS(__aeabi_dadd, double_a, double_b)
PAIRS(__aeabi_dsub, double_a, double_b)
PAIRS(__aeabi_dmul, double_a, double_b)
PAIRS(__aeabi_ddiv, double_a, double_b)
PAIRS(__aeabi_dcmplt, double_a, double_b)
PAIRS(__aeabi_dcmple, double_a, double_b)
PAIRS(__aeabi_dcmpeq, double_a, double_b)
PAIRS(__aeabi_dcmpge, double_a, double_b)
PAIRS(__aeabi_dcmpgt, double_a, double_b)
PAIRS(__aeabi_dcmpun, double_a, double_b)
PAIRS(__aeabi_d2iz, double_a)
PAIRS(__aeabi_fadd, float_a, float_b)
PAIRS(__aeabi_fsub, float_a, float_b)
PAIRS(__aeabi_fmul, float_a, float_b)
PAIRS(__aeabi_fdiv, float_a, float_b)
PAIRS(__aeabi_fcmplt, float_a, float_b)
PAIRS(__aeabi_fcmple, float_a, float_b)
PAIRS(__aeabi_fcmpeq, float_a, float_b)
PAIRS(__aeabi_fcmpge, float_a, float_b)
PAIRS(__aeabi_fcmpgt, float_a, float_b)
PAIRS(__aeabi_fcmpun, float_a, float_b)
PAIRS(__aeabi_f2iz, float_a)

/* Numbers of x bits. */

#define OF_BITS(function)                                                                     \
    TIMED_CASE(function, bits, function, function((int)dividend), COMPILER,                   \
               .condition = "positive", .parameter = "bits", .unit = "bit", X_FROM_TO(1, 30), \
               .set_up = shift)

OF_BITS(__aeabi_i2d)
OF_BITS(__aeabi_i2f)

#ifndef __AVR__ /* its memory holds no more cases */
OF_BITS(__aeabi_ui2d)
OF_BITS(__aeabi_ui2f)

OPERATOR(__aeabi_i2d, zero, "(double)0", 0)
OPERATOR(__aeabi_i2f, zero, "(float)0", 0)
OPERATOR(__aeabi_i2d, negative, "(double)-1000", -1000)
OPERATOR(__aeabi_d2iz, smaller, "(int)0.5", 0.5)
OPERATOR(__aeabi_f2iz, smaller, "(int)0.5f", 0.5f)
OPERATOR(__aeabi_d2uiz, double, "(unsigned)1000.5", 1000.5)
OPERATOR(__aeabi_f2uiz, float, "(unsigned)1000.5f", 1000.5f)

/* Integers of 64 bits, of which x are used, from and to floating point. */

static int64_t long_integer;
static double long_double;
static float long_float;

static bool take_long(const struct series *series) {
    long_integer = 0x5a827999fcef3243 >> (62 - series->x);
    long_double = (double)long_integer + 0.5;
    long_float = (float)long_integer + 0.5f;
    return true;
}

#define OF_LONG(function, argument)                                                             \
    TIMED_CASE(function, bits, function, function(argument), COMPILER, .condition = "positive", \
               .parameter = "bits less one", .unit = "bit", X_FROM_TO(1, 61), .set_up = take_long)

OF_LONG(__aeabi_l2d, long_integer)
OF_LONG(__aeabi_ul2d, (uint64_t)long_integer)
OF_LONG(__aeabi_l2f, long_integer)
OF_LONG(__aeabi_ul2f, (uint64_t)long_integer)
OF_LONG(__aeabi_d2lz, long_double)
OF_LONG(__aeabi_d2ulz, long_double)
OF_LONG(__aeabi_f2lz, long_float)
OF_LONG(__aeabi_f2ulz, long_float)
OPERATOR(__aeabi_l2d, zero, "(double)0ll", 0)
OPERATOR(__aeabi_l2f, zero, "(float)0ll", 0)
OPERATOR(__aeabi_l2d, negative, "(double)-0x123456789", -0x123456789)
OPERATOR(__aeabi_d2lz, negative, "(int64_t)-123456789000.5", -123456789000.5)
#endif

/* Bits of words that the core cannot count: bit x - 1 is the only one. */

extern int __clzsi2(unsigned), __clzdi2(uint64_t), __ctzsi2(unsigned), __ctzdi2(uint64_t),
    __popcountsi2(unsigned), __popcountdi2(uint64_t);
static uint64_t bit;

static bool set_bit(const struct series *series) {
    bit = 1ull << (series->x - 1);
    return true;
}

#define BIT(function, last)                                                              \
    TIMED_CASE(function, bit, function, function(bit), COMPILER, .condition = "one bit", \
               .parameter = "its place, from 1", .unit = "bit", X_FROM_TO(1, last),      \
               .set_up = set_bit)

BIT(__clzsi2, 32)
BIT(__ctzsi2, 32)
BIT(__popcountsi2, 32)
BIT(__clzdi2, 64)
BIT(__ctzdi2, 64)
BIT(__popcountdi2, 64)
