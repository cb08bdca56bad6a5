/* Time on the processor, for kernels that do not keep it themselves: what passed, without the time
 * of others who came between. Threads of fixed priority nest, so each adds its own to a sum, and
 * whoever was interrupted takes what the sum grew by off its own. The switch to and from another
 * thread is the interrupted one's. Each has a word of the sum, to which no other adds: interrupted
 * in the midst of that, it would undo what the others added. */
#include "realtime.h"

volatile uint32_t busy_periods;

#ifdef PORT_THREAD_TIME

void busy_reset(void) {}

void busy_ticks_take(uint32_t counts) {
    (void)counts;
}

struct busy busy_begin(uint8_t whose) {
    return (struct busy){port_thread_time(), 0, whose};
}

uint32_t busy_lap(struct busy *busy) {
    uint32_t now = port_thread_time(), own = now - busy->since;
    busy->since = now;
    return own;
}

void busy_elsewhere(uint8_t whose, uint32_t counts) {
    (void)whose;
    (void)counts;
}

#else

static volatile uint32_t accounted[BUSY_MANY];
static uint32_t counts_of_tick;

void busy_reset(void) {
    for (int i = 0; i < BUSY_MANY; i++)
        accounted[i] = 0;
}

void busy_ticks_take(uint32_t counts) {
    counts_of_tick = counts;
}

static uint32_t accounted_by_all(void) {
    uint32_t sum = TICK_IS_DEAR ? kernel_ticks() * counts_of_tick : 0;
#ifndef NO_BACKGROUND /* where nothing runs beside the test, memory is dearer than time */
#pragma GCC unroll 8
#endif
    for (int i = 0; i < BUSY_MANY; i++)
        sum += accounted[i];
    return sum;
}

/* The sum at a moment: nobody added to it between two readings. */
struct busy busy_begin(uint8_t whose) {
    struct busy busy = {0, accounted_by_all(), whose};
    for (uint32_t again;; busy.others = again) {
        busy.since = timer_now();
        again = accounted_by_all();
        if (again == busy.others)
            return busy;
    }
}

uint32_t busy_lap(struct busy *busy) {
    struct busy now = busy_begin(busy->whose);
    int32_t own = (int32_t)(now.since - busy->since - (now.others - busy->others));
    if (own < 0) /* less than a wake-up was rehearsed to take */
        own = 0;
    accounted[busy->whose] += (uint32_t)own;
    now.others += (uint32_t)own;
    *busy = now;
    return (uint32_t)own;
}

void busy_elsewhere(uint8_t whose, uint32_t counts) {
    accounted[whose] += counts;
}

#endif
