/* The language of background threads, whatever the kernel: facilities, counted calls of them,
 * and steps. */
#ifndef BACKGROUND_H
#define BACKGROUND_H

#include "realtime.h"

#define FACILITY_ID(id, ...) id,
#define FACILITY_ENTRY(id, title, ...) {.name = title, ##__VA_ARGS__},

/* Everything about the facilities of LIST(X), where each is X(id, name, what it holds if anything).
 */
#define DEFINE_FACILITIES(LIST)                                              \
    enum facility_id { NOTHING_UNDERWAY, LIST(FACILITY_ID) FACILITIES_END }; \
    const struct facility facilities[] = {LIST(FACILITY_ENTRY)};             \
    const uint8_t facility_count = FACILITIES_END - 1;                       \
    volatile uint32_t facility_calls[FACILITIES_END - 1];

/* Makes a call, noted while it is under way, counted when it succeeded. */
#define CALL(self, id, call)             \
    ({                                   \
        underway[(self)->origin] = (id); \
        bool done_ = (call);             \
        underway[(self)->origin] = 0;    \
        facility_calls[(id)-1] += done_; \
        done_;                           \
    })

#define STEPS(array) \
    { .steps = (array), .step_count = sizeof(array) / sizeof((array)[0]) }

#endif
