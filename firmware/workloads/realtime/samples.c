/* The buffer: filled during a batch, drained after it. It holds pairs of start and stop, as the
 * paper's ListTime. For task switching it holds lists of stamps, one for each thread of the ring.
 * Threads of equal priority may interrupt one another between reading the clock and writing it
 * down. */
#include <string.h>

#include "realtime.h"

/* The ring stops when one list is full. An interruption leaves a thread behind the others: the
 * kernel goes on with the next one. So each list has more space than its share, by a quarter. */
enum { STAMPS = 2 * SAMPLE_CAPACITY, SHARES_MORE = 4, STAMPS_MORE = 2 };

static uint32_t times[STAMPS]; /* the starts, then the stops; or stamps */
static uint8_t flags[STAMPS];
static volatile uint16_t count;
static uint16_t wanted, by_line;
static bool in_pairs;
static uint32_t started, periods;
static uint8_t started_by;
static uint32_t began, last, least;
static uint32_t spacing_mask, burst_counts;

void samples_reset(uint16_t length) {
    count = 0;
    by_line = 0;
    last = least = 0;
    wanted = length;
    in_pairs = true;
}

#ifdef PORT_ENDS_SLOWLY
void samples_close(void) {
    wanted = count;
}
#endif

void sample_prepare(uint8_t origin) {
    started_by = origin;
    periods = busy_periods;
}

void sample_begin(uint32_t start) {
    started = start;
}

bool sample_end(uint32_t stop) {
    uint16_t index = count;
    if (index >= wanted)
        return true;
    times[index] = started;
    times[SAMPLE_CAPACITY + index] = stop;
    flags[index] = (uint8_t)(started_by << SAMPLE_ORIGIN_SHIFT |
                             (busy_periods != periods ? SAMPLE_OVERTAKEN : 0));
    by_line += started_by == ORIGIN_LINE;
    if (started_by == ORIGIN_THREAD) {
        began = started;
        last = stop - started;
        least = least == 0 || last < least ? last : least;
    }
    count = (uint16_t)(index + 1);
    return count == wanted;
}

uint32_t samples_began(void) {
    return began;
}

uint32_t samples_last(void) {
    return last;
}

uint32_t samples_least(void) {
    return least;
}

bool samples_are_full(void) {
    return count >= wanted;
}

/* The line begins at most half of the samples, so that a batch does not fill without the thread of
 * the paper. */
bool line_is_wanted(void) {
    return by_line < wanted / 2 && !samples_are_full();
}

/* Where ticks take nearly a power of two of counts, bursts would all lie at the same few places of
 * a tick. There spacings are longer by 512 / 479, and 479 places are met in turn. */
enum {
    TICK_COUNTS = TIMER_HZ / KERNEL_TICK_HZ,
    ODD_PART = TICK_COUNTS / (TICK_COUNTS & -TICK_COUNTS),
    FEW_PLACES = 64
};

static inline uint32_t position(uint32_t stamp) {
    return ODD_PART < FEW_PLACES ? stamp - (stamp >> 4) - (stamp >> 9) : stamp;
}

/* Counts in which a slow kernel switches several times: in a shorter burst few samples would end.
 */
#ifndef PORT_LEAST_BURST
#define PORT_LEAST_BURST 0u
#endif

/* Stamps are kept in short bursts, spread over a time that the load fills evenly. There are as many
 * of every spacing; spacings are powers of two. */
static void spread_stamps(void) {
    const uint32_t window = TIMER_HZ / 10, of_burst = 16, duty = 64, apart = 4;
    uint32_t bursts = wanted / of_burst + 1, spacing = 1;
    while (spacing < window / bursts || spacing < apart * PORT_LEAST_BURST)
        spacing *= 2;
    spacing_mask = spacing - 1;
    burst_counts = spacing / duty;
    if (burst_counts < PORT_LEAST_BURST)
        burst_counts = PORT_LEAST_BURST;
}

bool stamp_is_wanted(uint32_t stamp) {
    return (position(stamp) & spacing_mask) < burst_counts;
}

uint16_t stamps_share(uint16_t threads) {
    uint16_t share = (uint16_t)((wanted + wanted / SHARES_MORE) / threads + STAMPS_MORE);
    in_pairs = false;
    spread_stamps();
    return (uint32_t)share * threads <= STAMPS ? share : 0;
}

uint32_t *stamps_at(uint16_t place) {
    return times + place;
}

void stamps_keep(const uint32_t *list, uint16_t taken, uint8_t origin) {
    for (uint16_t i = 0; i < taken; i++)
        flags[count + i] =
            (uint8_t)(origin << SAMPLE_ORIGIN_SHIFT | (stamp_is_wanted(list[i]) ? 0 : SAMPLE_LAST));
    memmove(times + count, list, taken * sizeof *list);
    count = (uint16_t)(count + taken);
}

uint16_t samples_count(void) {
    return count;
}

void samples_put(uint16_t offset, uint16_t many) {
    for (uint16_t i = offset; i < offset + many; i++) {
        wire_put32(times[i]);
        wire_put32(in_pairs ? times[SAMPLE_CAPACITY + i] : position(times[i]) & ~spacing_mask);
        wire_put8(flags[i]);
    }
}
