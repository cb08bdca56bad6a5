/* Between two samples: who begins them leaves the processor to the load, and sees to it that some
 * of them meet the kernel's tick. A thread that slept wakes with a tick, and would meet none by
 * itself.
 */
#include "realtime.h"

/* Numerical Recipes' linear congruential generator; its high bits are the better ones. */
uint32_t next_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 16;
}

static bool is_loaded;
static uint32_t wait_counts; /* of the processor, for a thread of the test that waits */

#ifdef PORT_TICKS_INTERRUPT

/* One tick of so many is met on purpose; without load, by one sample of so many. */
enum { TICKS_APART = 8, SAMPLES_APART = 8 };

static struct busy pausing;
static uint32_t calls, aimed_at, lead_counts, within_counts, place = 1;
static bool is_aimed;

void pausing_begins(bool loaded, uint32_t counts) {
    is_loaded = loaded;
    wait_counts = counts;
    pausing = busy_begin(BUSY_TEST);
    calls = 0;
    lead_counts = within_counts = 0;
    is_aimed = false;
}

void busy_sleeps(uint8_t whose) {
    busy_elsewhere(whose, wait_counts);
}

static void sleep_a_tick(void) {
    busy_lap(&pausing);
    busy_sleeps(BUSY_TEST);
    port_sleep(1);
    pausing = busy_begin(BUSY_TEST);
}

/* How the last aim went: how late the sample began, and whether it met the tick and was longer for
 * that. If not, the next aim is at another place within a sample. */
static void learn(void) {
    uint32_t least = samples_least();
    lead_counts = samples_began() - aimed_at;
    if (samples_last() < least + least / 4)
        within_counts = least == 0 ? 0 : next_random(&place) % least;
    is_aimed = false;
}

/* Waits awake until the next sample, should it begin as late as the last one that was aimed, is
 * under way when the tick comes. */
static void aim_at_tick(void) {
    uint32_t tick = kernel_ticks();
    while (port_counts_to_tick() > lead_counts + within_counts && kernel_ticks() == tick)
        ;
    aimed_at = timer_now();
    is_aimed = true;
}

void pause_between_samples(void) {
    bool aims = is_loaded ? kernel_ticks() % TICKS_APART == 0 : ++calls % SAMPLES_APART == 0;
    if (is_aimed)
        learn();
    if (aims)
        aim_at_tick();
    else if (is_loaded)
        sleep_a_tick();
}

#else

void pausing_begins(bool loaded, uint32_t counts) {
    is_loaded = loaded;
    wait_counts = counts;
}

void busy_sleeps(uint8_t whose) {
    busy_elsewhere(whose, wait_counts);
}

void pause_between_samples(void) {
    if (is_loaded)
        port_sleep(1);
}

#endif
