/* Time on the processor, for kernels that do not keep it themselves: what passed, without the time
 * of others who came between. Threads of fixed priority nest, so each adds its own to a sum, and
 * whoever was interrupted takes what the sum grew by off its own. The switch to and from another
 * thread is the interrupted one's. */
#include "realtime.h"

volatile uint32_t busy_periods;

#ifdef PORT_THREAD_TIME

void busy_reset(void) {}

struct busy busy_begin(void) {
    return (struct busy){port_thread_time(), 0};
}

uint32_t busy_lap(struct busy *busy) {
    uint32_t now = port_thread_time(), own = now - busy->since;
    busy->since = now;
    return own;
}

void busy_elsewhere(uint32_t counts) {
    (void)counts;
}

#else

static volatile uint32_t accounted;

void busy_reset(void) {
    accounted = 0;
}

struct busy busy_begin(void) {
    return (struct busy){timer_now(), accounted};
}

uint32_t busy_lap(struct busy *busy) {
    uint32_t now = timer_now();
    int32_t own = (int32_t)(now - busy->since - (accounted - busy->others));
    if (own < 0) /* someone came between the two readings */
        own = 0;
    accounted += (uint32_t)own;
    *busy = (struct busy){now, accounted};
    return (uint32_t)own;
}

void busy_elsewhere(uint32_t counts) {
    accounted += counts;
}

#endif
