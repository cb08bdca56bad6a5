/* Numbers in formats that the machine does not have: halves, singles, and sums and roots in
 * quadruple precision.   formats ROUNDS SEED COUNT */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "softfloat.h"

static uint32_t state;

static uint32_t draw(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static uint32_t mix(uint32_t sum, uint32_t value) {
    return (sum << 5 | sum >> 27) ^ value;
}

static float16_t half(void) {
    float16_t value = {(uint16_t)draw()};
    if ((value.v & 0x7C00) == 0x7C00)
        value.v ^= 0x4000;
    return value;
}

static float32_t single(void) {
    uint32_t high = draw();
    float32_t value = {high << 12 ^ draw()};
    if ((value.v & 0x7F800000) == 0x7F800000)
        value.v ^= 0x40000000;
    return value;
}

static void halves(int rounds) {
    uint32_t sum[6] = {0};
    int less = 0;
    for (int i = 0; i < rounds; i++) {
        float16_t a = half(), b = half(), r = f16_sqrt((float16_t){a.v & 0x7FFF});
        sum[0] = mix(sum[0], f16_add(a, b).v);
        sum[1] = mix(sum[1], f16_sub(a, b).v);
        sum[2] = mix(sum[2], f16_mul(a, b).v);
        sum[3] = mix(sum[3], (b.v & 0x7FFF) ? f16_div(a, b).v : 0);
        sum[4] = mix(sum[4], r.v);
        sum[5] = mix(sum[5], f16_to_f32(a).v);
        less += f16_lt(a, b);
    }
    printf("halves %08x %08x %08x %08x %08x %08x, %d less\n", (unsigned)sum[0], (unsigned)sum[1],
           (unsigned)sum[2], (unsigned)sum[3], (unsigned)sum[4], (unsigned)sum[5], less);
}

static void singles(int rounds) {
    uint32_t sum[4] = {0};
    for (int i = 0; i < rounds; i++) {
        float32_t a = single(), b = single();
        float64_t wide = f64_mul(f32_to_f64(a), f32_to_f64(b));
        sum[0] = mix(sum[0], f32_add(a, b).v);
        sum[1] = mix(sum[1], f32_to_f16(f32_mul(a, (float32_t){0x3F99999A})).v);
        sum[2] = mix(sum[2], (uint32_t)(wide.v >> 32) ^ (uint32_t)wide.v);
        sum[3] =
            mix(sum[3],
                (uint32_t)f32_to_i32(f32_roundToInt((float32_t){(a.v & 0x807FFFFF) | 0x48000000 |
                                                                (b.v & 0x01800000)},
                                                    softfloat_round_near_even, false),
                                     softfloat_round_near_even, false));
    }
    printf("singles %08x %08x %08x %08x\n", (unsigned)sum[0], (unsigned)sum[1], (unsigned)sum[2],
           (unsigned)sum[3]);
}

static void put(const char *name, float128_t value) {
    printf("%s %08lx%08lx%08lx%08lx\n", name, (unsigned long)(uint32_t)(value.v[1] >> 32),
           (unsigned long)(uint32_t)value.v[1], (unsigned long)(uint32_t)(value.v[0] >> 32),
           (unsigned long)(uint32_t)value.v[0]);
}

static void quadruples(int terms) {
    float128_t one = ui32_to_f128(1), sum = ui32_to_f128(0), term = one;
    for (int k = 1; k <= terms; k++)
        sum = f128_add(sum, f128_div(one, ui32_to_f128((uint32_t)k)));
    put("harmonic", sum);
    sum = one;
    for (int k = 1; k <= terms; k++) {
        term = f128_div(term, ui32_to_f128((uint32_t)k));
        sum = f128_add(sum, term);
    }
    put("e", sum);
    for (uint32_t n = 2; n < 7; n++)
        put("root", f128_sqrt(ui32_to_f128(n)));
    put("product", f128_mul(sum, f128_sqrt(ui32_to_f128(3))));
}

int main(int argc, char **argv) {
    if (argc != 4)
        return 2;
    state = (uint32_t)strtoul(argv[2], NULL, 10);
    halves(atoi(argv[1]));
    singles(atoi(argv[1]));
    quadruples(atoi(argv[3]));
    return 0;
}
