// The surroundings of the IrDA stack: time, random bits, the speed of the line and a start of
// sending.
//
// The stack never waits and never calls itself back. A port drives it from one thread:
//
//   octets came in        framer_receive(framer, octets, count)
//   `start_sending` asked framer_fetch(framer, octets, capacity) until it returns 0
//   the last octet left   framer_sent(framer)
//   time passed           lap_run(lap), at the latest at lap_deadline(lap, &at_us); so for layers
//   above
//
// The functions below may be called from within any of these. They must not call the stack.
#ifndef IRDA_PORT_H
#define IRDA_PORT_H

#include <stdint.h>

struct irda_port {
    void *context; // first argument of each function below

    // Microseconds since any moment; wraps after 2^32. The stack compares times by their
    // difference.
    uint32_t (*now_us)(void *context);

    // 32 random bits, others on each station: for addresses, slots and back-off.
    uint32_t (*random)(void *context);

    // Octets are ready. The port begins to fetch them at once or soon, and reports the last one's
    // end. Never called again before that report.
    void (*start_sending)(void *context);

    // Send and receive at this speed from now. Never called while octets are being sent.
    void (*set_speed)(void *context, uint32_t bits_per_second);
};

// True if `at_us` lies at or before `now_us`; both within 2^31 us of each other.
static inline int irda_is_due(uint32_t now_us, uint32_t at_us) {
    return (uint32_t)(now_us - at_us) < 0x80000000u;
}

#endif
