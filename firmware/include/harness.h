/* The harness: answers the host's requests (agent) by running series of cases. */
#ifndef HARNESS_H
#define HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "case.h"
#include "wire.h"

/* Serves the wire for ever. The kernel runs it as a task that nothing else of its priority or below
 * preempts for longer than a tick. */
void agent_serve(void) __attribute__((noreturn));

struct series_request {
    CONSTANT struct timed_case *timed_case;
    uint32_t x;
    uint32_t delay; /* timer ticks after a tick, if unplaced */
    uint16_t length;
    bool empty; /* nothing is called, or what returns at once */
    bool pair;  /* of empty ones: nothing is called */
    bool unplaced;
};

/* Why a series was refused, with the two numbers of docs/reference/wire.md and, if it was the
 * system, the call that it refused. */
struct series_outcome {
    enum wire_reason refused;
    uint32_t a, b;
    CONSTANT char *call;
};

/* Runs a series and keeps its samples. */
struct series_outcome series_run(const struct series_request *request);

/* Samples of the last series, in the wire's layout, WIRE_SAMPLE_BYTES each. */
const uint8_t *series_samples(void);
uint16_t series_count(void);

#endif
