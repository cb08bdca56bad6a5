/* The cost of a context switch: a UART transmission task, and a multiply-accumulate task that
 * preempts it (Pillai and Isha, section 4.2.1; docs/explanation/switch.md). Shared by the kernels;
 * each kernel's folder switch/ has the preemption. */
#ifndef SWITCH_H
#define SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#ifdef OWN_TASKS
enum { MOST_OPERATIONS = 65535 };
/* The user's file has the first, and may have the second (docs/explanation/switch.md). */
extern uint32_t preempting_task(uint32_t operations);
extern void preempted_task(void) __attribute__((weak));
#else
enum { MOST_OPERATIONS = 64 };
#endif
enum { MOST_CHARACTERS = 64 };

struct order {
    bool preempted;    /* else the tasks run one after the other */
    bool by_interrupt; /* who feeds the UART: its interrupt, else the task, by polling */
    uint8_t characters;
    uint16_t operations;
    uint32_t delay_counts; /* from the beginning to the alarm */
};

/* Counts of the alarm's timer. The transmission task looks at the clock in every iteration of its
 * waiting loops. `before` and `after` enclose the iteration with the preemption in it. Without one
 * they enclose that which was longest beyond the `shortest` of its loop. `interrupts` are the
 * UART's in between, `mac_interrupts` those between `mac_began` and `mac_ended`. */
struct stamps {
    uint32_t began, sent, ended;
    uint32_t mac_began, mac_ended;
    uint32_t before, after, shortest;
    uint32_t sum;
    uint32_t interrupts, mac_interrupts;
};

/* The window: both tasks, in the way that the order says. The kernel calls it in the thread that is
 * to be the transmission task, with its own way to preempt attached and the order's known to it. */
void switch_window(const struct order *order, struct stamps *stamps);

/* The tasks' work. mac_task() runs in whatever context the kernel gives it. */
void transmit_task(const struct order *order);
void mac_task(void);
extern struct order ordered;
extern struct stamps stamped;

/* The kernel's part. */
void kernel_run_window(void); /* returns after both tasks are done */
void transmitter_interrupted(void);

#endif
