/* A program to fit prices with: work that compilers leave to their own functions, operation by
 * operation, with operands of many sizes. */
#include <stdint.h>
#include <stdio.h>

enum { N = 256 };
/* Results are read by no one here: other files might. */
#define APART __attribute__((noinline))

static uint32_t state = 12345;
float fa[N], fb[N], fc[N];
double da[N], db[N], dc[N];
int32_t ia[N], ib[N], ic[N];
uint32_t ua[N], ub[N], uc[N];
int64_t la[N], lb[N], lc[N];
uint64_t va[N];
static int hits;

static uint32_t drawn(void) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static void filled(void) {
    for (int i = 0; i < N; i++) {
        ia[i] = (int32_t)drawn() >> (i % 24);
        ib[i] = ((int32_t)drawn() >> (i * 7 % 28)) | 1;
        ua[i] = drawn() >> (i % 16);
        ub[i] = (drawn() >> (i * 5 % 30)) | 1;
        la[i] = (int64_t)((uint64_t)drawn() << 32 | drawn()) >> (i % 40);
        lb[i] = ((int64_t)((uint64_t)drawn() << 32 | drawn()) >> (i * 3 % 60)) | 1;
        va[i] = (uint64_t)la[i];
        fa[i] = (float)(ia[i] >> 8) / 256.0f;
        fb[i] = (float)(ib[i] % 4096) / 64.0f + 0.25f;
        da[i] = ia[i] / 1024.0;
        db[i] = ib[i] / 4096.0 + 0.125;
    }
}

#define EACH(name, statement)       \
    static APART void name(void) {  \
        for (int i = 0; i < N; i++) \
            statement;              \
    }
/* clang-format off */
EACH(float_add, fc[i] = fa[i] + fb[i])
EACH(float_subtract, fc[i] = fa[i] - fb[i])
EACH(float_multiply, fc[i] = fa[i] * fb[i])
EACH(float_divide, fc[i] = fa[i] / fb[i])
EACH(float_compare, hits += fa[i] < fb[i])
EACH(float_from, fc[i] = (float)ia[i])
EACH(float_to, ic[i] = (int32_t)fb[i])
EACH(double_add, dc[i] = da[i] + db[i])
EACH(double_subtract, dc[i] = da[i] - db[i])
EACH(double_multiply, dc[i] = da[i] * db[i])
EACH(double_divide, dc[i] = da[i] / db[i])
EACH(double_compare, hits += da[i] < db[i])
EACH(double_from, dc[i] = ia[i])
EACH(double_from_unsigned, dc[i] = ua[i])
EACH(double_to, ic[i] = (int32_t)db[i])
EACH(double_wider, dc[i] = fa[i])
EACH(double_narrower, fc[i] = (float)da[i])
EACH(divide, ic[i] = ia[i] / ib[i])
EACH(remain, ic[i] = ia[i] % ib[i])
EACH(divide_unsigned, uc[i] = ua[i] / ub[i])
EACH(remain_unsigned, uc[i] = ua[i] % ub[i])
EACH(divide_by_ten, uc[i] = ua[i] / 10)
EACH(remain_by_ten, uc[i] = ua[i] % 10)
EACH(divide_by_seven, ic[i] = ia[i] / 7)
EACH(remain_by_1000, ic[i] = ia[i] % 1000)
EACH(divide_by_eight, ic[i] = ia[i] / 8)
EACH(remain_by_sixteen, ic[i] = ia[i] % 16)
EACH(long_divide, lc[i] = la[i] / lb[i])
EACH(long_remain, lc[i] = la[i] % lb[i])
EACH(long_divide_by_1000, lc[i] = la[i] / 1000)
EACH(long_multiply, lc[i] = la[i] * lb[i])
EACH(wide_multiply, lc[i] = (int64_t)ia[i] * ib[i])
EACH(wide_multiply_unsigned, va[i] += (uint64_t)ua[i] * ub[i])
EACH(wide_accumulate, lc[0] += (int64_t)ia[i] * ib[i])
EACH(high_multiply, ic[i] = (int32_t)(((int64_t)ia[i] * ib[i]) >> 31))
EACH(long_add, lc[i] = la[i] + lb[i])
EACH(long_mix, lc[i] = (la[i] ^ lb[i]) & ~la[i])
EACH(long_left, lc[i] = la[i] << (ib[i] & 63))
EACH(long_right, lc[i] = la[i] >> (ib[i] & 63))
EACH(long_right_nine, lc[i] = la[i] >> 9)
EACH(long_turn, va[i] = va[i] << 21 | va[i] >> 43)
EACH(long_upper, uc[i] = (uint32_t)(va[i] >> 32))
EACH(long_compare, hits += la[i] < lb[i])
EACH(multiply, ic[i] = ia[i] * ib[i])
EACH(multiply_by_ten, ic[i] = ia[i] * 10)
EACH(multiply_by_large, uc[i] = ua[i] * 2654435761u)
EACH(turn, uc[i] = ua[i] << 7 | ua[i] >> 25)
EACH(shift, uc[i] = ua[i] << (ub[i] & 31))
/* clang-format on */

int main(void) {
    static void (*const all[])(void) = {
        float_add,
        float_subtract,
        float_multiply,
        float_divide,
        float_compare,
        float_from,
        float_to,
        double_add,
        double_subtract,
        double_multiply,
        double_divide,
        double_compare,
        double_from,
        double_from_unsigned,
        double_to,
        double_wider,
        double_narrower,
        divide,
        remain,
        divide_unsigned,
        remain_unsigned,
        divide_by_ten,
        remain_by_ten,
        divide_by_seven,
        remain_by_1000,
        divide_by_eight,
        remain_by_sixteen,
        long_divide,
        long_remain,
        long_divide_by_1000,
        long_multiply,
        wide_multiply,
        wide_multiply_unsigned,
        wide_accumulate,
        high_multiply,
        long_add,
        long_mix,
        long_left,
        long_right,
        long_right_nine,
        long_turn,
        long_upper,
        long_compare,
        multiply,
        multiply_by_ten,
        multiply_by_large,
        turn,
        shift,
    };
    filled();
    for (int round = 0; round < 4; round++)
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
            all[i]();
    printf("%d %ld\n", hits, (long)ic[3]);
    return 0;
}
