/* The buffer: filled during a batch, drained after it. It holds pairs of start and stop, as the
 * paper's ListTime; for task switching lists of stamps, one for each thread of the ring, because
 * threads of equal priority may interrupt one another between reading the clock and writing it
 * down. */
#include <string.h>

#include "realtime.h"

/* The ring stops when one list is full. Whoever comes between leaves a thread behind the others:
 * the kernel goes on with the next one. So each list has more room than its share, by a quarter. */
enum { STAMPS = 2 * SAMPLE_CAPACITY, SHARES_MORE = 4, STAMPS_MORE = 2 };

static uint32_t times[STAMPS]; /* the starts, then the stops; or stamps */
static uint8_t origins[STAMPS];
static volatile uint16_t count;
static uint16_t wanted, stimulated;
static bool in_pairs;
static uint32_t started;
static uint8_t started_by;

void samples_reset(uint16_t length) {
    count = 0;
    stimulated = 0;
    wanted = length;
    in_pairs = true;
}

void sample_begin(uint32_t start, uint8_t origin) {
    started = start;
    started_by = origin;
}

bool sample_end(uint32_t stop) {
    uint16_t index = count;
    if (index >= wanted)
        return true;
    times[index] = started;
    times[SAMPLE_CAPACITY + index] = stop;
    origins[index] = started_by;
    stimulated += started_by != 0;
    count = (uint16_t)(index + 1);
    return count == wanted;
}

bool samples_are_full(void) {
    return count >= wanted;
}

/* Background threads begin at most half of the samples, so that a batch does not fill without the
 * thread of the paper. */
bool stimulus_allowed(void) {
    return stimulated < wanted / 2 && !samples_are_full();
}

uint16_t stamps_share(uint16_t threads) {
    uint16_t share = (uint16_t)((wanted + wanted / SHARES_MORE) / threads + STAMPS_MORE);
    in_pairs = false;
    return (uint32_t)share * threads <= STAMPS ? share : 0;
}

uint32_t *stamps_at(uint16_t place) {
    return times + place;
}

void stamps_keep(const uint32_t *list, uint16_t taken, uint8_t origin) {
    memmove(times + count, list, taken * sizeof *list);
    memset(origins + count, origin, taken);
    count = (uint16_t)(count + taken);
}

uint16_t samples_count(void) {
    return count;
}

void samples_put(uint16_t offset, uint16_t many) {
    for (uint16_t i = offset; i < offset + many; i++) {
        wire_put32(times[i]);
        wire_put32(in_pairs ? times[SAMPLE_CAPACITY + i] : 0);
        wire_put8((uint8_t)(origins[i] << SAMPLE_ORIGIN_SHIFT));
    }
}
