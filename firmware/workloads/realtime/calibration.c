/* Calibration (section III.B): the product of two 2 × 2 matrices, of doubles and of integers. */
#include "realtime.h"

static volatile double double_a[2][2] = {{1.25, -2.5}, {3.75, 0.5}};
static volatile double double_b[2][2] = {{0.75, 4.5}, {-1.5, 2.25}};
static volatile double double_product[2][2];

static volatile int32_t integer_a[2][2] = {{1234, -2345}, {3456, 4567}};
static volatile int32_t integer_b[2][2] = {{5678, 6789}, {-7890, 8901}};
static volatile int32_t integer_product[2][2];

#define PRODUCT(a, b, c)            \
    for (int i = 0; i < 2; i++)     \
        for (int j = 0; j < 2; j++) \
    c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j]

static void multiply_doubles(void) {
    PRODUCT(double_a, double_b, double_product);
}

static void multiply_integers(void) {
    PRODUCT(integer_a, integer_b, integer_product);
}

static void (*const units[UNITS])(void) = {multiply_doubles, multiply_integers};

#if defined __SOFTFP__
#define HOW "software"
#elif defined __SSE2_MATH__
#define HOW "hardware (SSE2)"
#else
#define HOW "hardware"
#endif
#define WIDTH_TEXT(bytes) WIDTH_TEXT_(bytes)
#define WIDTH_TEXT_(bytes) #bytes " bytes"

const char calibration_arithmetic[] = HOW ", double of " WIDTH_TEXT(__SIZEOF_DOUBLE__);

void empty_call(void);

/* Waits for the next tick where that could fall into a sample: it is no part of the program. */
static void keep_clear_of_tick(void) {
#ifdef PORT_DEAR_TICK
    const uint32_t margin = TIMER_HZ / KERNEL_TICK_HZ / 4;
    uint32_t tick = kernel_ticks();
    while (port_counts_to_tick() < margin && kernel_ticks() == tick)
        ;
#endif
}

struct outcome calibrate(uint8_t unit, bool empty, uint16_t length) {
    if (unit >= UNITS || length == 0)
        return (struct outcome){.refused = REFUSED_VALUE, .a = length == 0 ? 0 : unit};
    if (length > SAMPLE_CAPACITY)
        return (struct outcome){.refused = REFUSED_BUFFER, .a = length, .b = SAMPLE_CAPACITY};
    void (*const operation)(void) = empty ? empty_call : units[unit];
    CLOCK;
    samples_reset(length);
    while (!samples_are_full()) {
        keep_clear_of_tick();
        sample_prepare(ORIGIN_THREAD);
        sample_begin(NOW("realtime.calibration.start"));
        operation();
        sample_end(NOW("realtime.calibration.stop"));
    }
    return (struct outcome){.refused = REFUSED_NOTHING};
}
