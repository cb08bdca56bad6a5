/* The two tasks of Pillai and Isha, section 4.2.1, and the window in which they run. */
#include "switch.h"

#include "alarm.h"
#include "board.h"
#include "transmitter.h"

struct order ordered;
struct stamps stamped;

static const char text[MOST_CHARACTERS + 1] =
    "What does a context switch cost? Time and energy, said the UART.";

static const int32_t samples[MOST_OPERATIONS] = {
    12, -7, 33, 5,  -19, 28, 41, -3, 16, -22, 9,  37, -14, 2,  25, -31,
    8,  44, -6, 19, -27, 13, 30, -1, 21, -36, 11, 3,  -17, 39, 26, -9,
    12, -7, 33, 5,  -19, 28, 41, -3, 16, -22, 9,  37, -14, 2,  25, -31,
    8,  44, -6, 19, -27, 13, 30, -1, 21, -36, 11, 3,  -17, 39, 26, -9};
static const int32_t weights[MOST_OPERATIONS] = {
    3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5,
    3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4, 3, 3, 8, 3, 2, 7, 9, 5};

/* Multiplies numbers and adds the products. */
static __attribute__((noinline)) int32_t multiply_and_accumulate(uint32_t operations) {
    int32_t sum = 0;
    for (uint32_t i = 0; i < operations; i++)
        sum += samples[i] * weights[i];
    return sum;
}

/* Of the UART's interrupts, each feeds it one character; the last finds none. */
static volatile uint8_t next_character;

__attribute__((noinline)) void mac_task(void) {
    uint8_t next = next_character;
    stamped.mac_began = *BOARD_ALARM_COUNT;
    stamped.sum = (uint32_t)multiply_and_accumulate(ordered.operations);
    stamped.mac_ended = *BOARD_ALARM_COUNT;
    stamped.mac_interrupts = (uint8_t)(next_character - next);
}

/* The clock, looked at in every turn of a waiting loop. */
struct watch {
    uint32_t last, longest, shortest, before, after;
    uint8_t last_next, interrupts;
};

static inline void look(struct watch *watch) {
    uint32_t now = *BOARD_ALARM_COUNT, turn = now - watch->last;
    uint8_t next = next_character;
    if (turn > watch->longest) {
        watch->longest = turn;
        watch->before = watch->last;
        watch->after = now;
        watch->interrupts = (uint8_t)(next - watch->last_next);
    }
    if (turn < watch->shortest)
        watch->shortest = turn;
    watch->last = now;
    watch->last_next = next;
}

static struct watch watch_from(uint32_t now) {
    return (struct watch){.last = now,
                          .shortest = UINT32_MAX,
                          .before = now,
                          .after = now,
                          .last_next = next_character};
}

static void keep(const struct watch *watch, struct stamps *stamps) {
    stamps->before = watch->before;
    stamps->after = watch->after;
    stamps->shortest = watch->shortest;
    stamps->interrupts = watch->interrupts;
}

/* Called by the kernel's entry: the next character, or no more of these interrupts. */
void transmitter_interrupted(void) {
    uint8_t next = next_character;
    board_take_transmitter_interrupt();
    if (next < ordered.characters) {
        board_transmit((uint8_t)text[next]);
        next_character = (uint8_t)(next + 1);
    } else {
        board_interrupt_when_room(false);
        next_character = (uint8_t)(next + 1);
    }
    board_end_transmitter_interrupt();
}

static void feed_by_interrupt(const struct order *order, struct watch *watch) {
    board_transmit((uint8_t)text[0]);
    board_interrupt_when_room(true);
    while (next_character <= order->characters)
        look(watch);
}

static void feed_by_polling(const struct order *order, struct watch *watch) {
    for (uint8_t i = 0; i < order->characters; i++) {
        do
            look(watch);
        while (!board_transmitter_has_room());
        board_transmit((uint8_t)text[i]);
    }
}

void transmit_task(const struct order *order, struct stamps *stamps) {
    next_character = 1;
    struct watch watch = watch_from(*BOARD_ALARM_COUNT);
    if (order->by_interrupt)
        feed_by_interrupt(order, &watch);
    else
        feed_by_polling(order, &watch);
    do
        look(&watch);
    while (!board_transmitter_is_idle());
    keep(&watch, stamps);
}

__attribute__((noinline)) void switch_window(const struct order *order, struct stamps *stamps) {
    board_forget_code(); /* so that every window begins alike */
    stamps->began = *BOARD_ALARM_COUNT;
    if (order->preempted)
        board_set_alarm(stamps->began + order->delay_counts);
    transmit_task(order, stamps);
    stamps->sent = *BOARD_ALARM_COUNT;
    if (!order->preempted)
        mac_task();
    stamps->ended = *BOARD_ALARM_COUNT;
}
