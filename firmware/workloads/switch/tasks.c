/* The two tasks of Pillai and Isha, section 4.2.1, and the window in which they run. */
#include "switch.h"

#include "alarm.h"
#include "board.h"
#include "counts.h"
#include "transmitter.h"

struct order ordered;
struct stamps stamped;

static const char text[MOST_CHARACTERS + 1] =
    "What does a context switch cost? Time and energy, said the UART.";

#ifdef OWN_TASKS
/* The preempted task's work in each iteration, beside waiting. */
static inline void work_on(void) {
    if (preempted_task)
        preempted_task();
}
#else
static const int32_t samples[MOST_OPERATIONS] = {
    12, -7, 33, 5,  -19, 28, 41, -3, 16, -22, 9,  37, -14, 2,  25, -31,
    8,  44, -6, 19, -27, 13, 30, -1, 21, -36, 11, 3,  -17, 39, 26, -9,
    12, -7, 33, 5,  -19, 28, 41, -3, 16, -22, 9,  37, -14, 2,  25, -31,
    8,  44, -6, 19, -27, 13, 30, -1, 21, -36, 11, 3,  -17, 39, 26, -9};
static const int32_t weights[MOST_OPERATIONS] = {
    3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5,
    3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};

/* Multiplies numbers and adds the products. */
static __attribute__((noinline)) uint32_t preempting_task(uint32_t operations) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < operations; i++)
        sum += samples[i] * weights[i];
    return (uint32_t)sum;
}

static inline void work_on(void) {}
#endif

/* Of the UART's interrupts, each feeds it one character; the last finds none. */
static volatile uint8_t next_character;
/* The count at which each was served. */
static uint32_t served[MOST_CHARACTERS + 1];
static uint32_t times_served;

__attribute__((noinline)) void mac_task(void) {
    stamped.mac_began = *BOARD_ALARM_COUNT;
    stamped.sum = preempting_task(ordered.operations);
    stamped.mac_ended = *BOARD_ALARM_COUNT;
}

/* Where the transmission task looks at the clock. Between two looks at the same place the same
 * instructions execute: an iteration of that place's loop. */
enum place { BEGINNING, WAITING, SENDING, DRAINING, PLACES };

struct iteration {
    volatile uint32_t rank, before, after;
};

/* The longest so far is kept; the one with the preemption in it ranks above all. An iteration
 * that is not kept goes to `dropped`, and everything is volatile, so that keeping takes as long as
 * not keeping. */
struct iterations {
    struct iteration dropped, longest;
    volatile uint32_t shortest;
};

static struct watch {
    uint32_t last;
    struct iterations *since; /* those that began at the place of the last look */
    struct iterations of[PLACES][PLACES];
} watch;

static void start_watch(void) {
    for (int from = 0; from < PLACES; from++)
        for (int to = 0; to < PLACES; to++)
            watch.of[from][to] = (struct iterations){.shortest = UINT32_MAX};
    watch.since = watch.of[BEGINNING];
    watch.last = *BOARD_ALARM_COUNT;
}

static inline void look(enum place place) {
    struct iterations *of = &watch.since[place];
    uint32_t now = *BOARD_ALARM_COUNT, took = counts_between(watch.last, now);
    uint32_t into_it = counts_between(watch.last, *(volatile uint32_t *)&stamped.mac_began);
    uint32_t rank = into_it < took ? UINT32_MAX : took;
    struct iteration *into = rank > of->longest.rank ? &of->longest : &of->dropped;
    into->rank = rank;
    into->before = watch.last;
    into->after = now;
    uint32_t shortest = of->shortest;
    of->shortest = took < shortest ? took : shortest;
    watch.last = now;
    watch.since = watch.of[place];
}

static uint32_t served_between(uint32_t begin, uint32_t end) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < times_served; i++)
        found += counts_between(begin, served[i]) < counts_between(begin, end);
    return found;
}

/* Keeps the iteration with the preemption, else that which lasted longest beyond the shortest of
 * its own loop. */
static void keep(struct stamps *stamps) {
    uint32_t most = 0;
    for (int place = 0; place < PLACES; place++) {
        const struct iterations *of = &watch.of[place][place];
        uint32_t beyond = of->longest.rank - of->shortest;
        if (of->longest.rank == 0 || beyond < most)
            continue;
        most = beyond;
        stamps->before = of->longest.before;
        stamps->after = of->longest.after;
        stamps->shortest = of->shortest;
    }
    stamps->interrupts = served_between(stamps->before, stamps->after);
    stamps->mac_interrupts = served_between(stamps->mac_began, stamps->mac_ended);
}

/* Called by the kernel's entry: the next character, or no more of these interrupts. */
void transmitter_interrupted(void) {
    uint8_t next = next_character;
    board_take_transmitter_interrupt();
    if (next < ordered.characters)
        board_transmit((uint8_t)text[next]);
    else
        board_interrupt_when_room(false);
    served[times_served++] = *BOARD_ALARM_COUNT;
    next_character = (uint8_t)(next + 1);
    board_end_transmitter_interrupt();
}

static void feed_by_interrupt(const struct order *order) {
    board_transmit((uint8_t)text[0]);
    board_interrupt_when_room(true);
    while (next_character <= order->characters) {
        work_on();
        look(WAITING);
    }
}

static void feed_by_polling(const struct order *order) {
    for (uint8_t i = 0; i < order->characters; i++) {
        bool has_room;
        do {
            work_on();
            has_room = board_transmitter_has_room();
            look(WAITING);
        } while (!has_room);
        board_transmit((uint8_t)text[i]);
        look(SENDING);
    }
}

void transmit_task(const struct order *order) {
    next_character = 1;
    times_served = 0;
    start_watch();
    if (order->by_interrupt)
        feed_by_interrupt(order);
    else
        feed_by_polling(order);
    bool is_idle;
    do {
        work_on();
        is_idle = board_transmitter_is_idle();
        look(DRAINING);
    } while (!is_idle);
}

__attribute__((noinline)) void switch_window(const struct order *order, struct stamps *stamps) {
    board_forget_code(); /* so that every window begins alike */
    stamps->began = *BOARD_ALARM_COUNT;
    if (BOARD_COUNT_BITS < 32) /* the window may pass count 0, but not the one before it */
        stamps->mac_began = stamps->began - 1;
    if (order->preempted)
        board_set_alarm(stamps->began + order->delay_counts);
    transmit_task(order);
    stamps->sent = *BOARD_ALARM_COUNT;
    if (!order->preempted)
        mac_task();
    stamps->ended = *BOARD_ALARM_COUNT;
    keep(stamps);
}
