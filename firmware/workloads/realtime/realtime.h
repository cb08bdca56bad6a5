/* Real-time figures under mixed load (Huang, Guo, Liang and Song, section III;
 * docs/explanation/realtime.md): what the files of this folder share. They know no kernel: port.h,
 * chosen by the build, has the kernel's own calls as static inline functions. */
#ifndef REALTIME_H
#define REALTIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "port.h"
#include "wire.h"

enum {
    TEST_THREADS = 5,       /* of task switching: Figure 3 */
    BACKGROUND_THREADS = 5, /* section III.C */
    CLOSING_TICKS = 2000    /* that background threads get to finish a round */
};

/* Ranks, which each kernel's port maps to priorities. The kernel's idle task has 0. */
enum rank {
    RANK_EXTRA_LOWER = 1,
    RANK_BACKGROUND_LOW = 2, /* two background threads: 2 and 3 */
    RANK_CONTROL = 4,
    RANK_BACKGROUND_HIGH = 5, /* the other three: 5 to 7 */
    RANK_TEST = 8,
    RANK_WOKEN = 9,
    RANK_EXTRA_DELAYED = 10, /* so that they come to their delay before the test begins */
    RANK_MONITOR = 11,
    RANKS
};

enum indicator_id { SWITCHING, PREEMPTION, INTERRUPT, SHUFFLING, HARDWARE, WAKE_UP };

enum placement { READY_EQUAL, READY_LOWER, DELAYED, PLACEMENTS };

/* The source of the load that a batch asks for. */
enum load_kind { LOAD_CALLS, LOAD_INTERRUPTS, LOAD_MEMORY, LOAD_IO, LOAD_KINDS };

/* The line from outside (interrupt.c): each rise calls `taken` in its ISR, with the count at which
 * that was entered. */
void line_attach(void (*taken)(uint32_t entered));

struct batch {
    uint8_t indicator, load_percent, load_kind, placement;
    uint16_t extra_tasks, length;
    uint32_t seed, limit_ms;
};

/* One of the figures. */
struct indicator {
    const char *name;
    const char *unavailable; /* why this kernel or board cannot have it; NULL: it has */
    enum rank rank;          /* of the thread that begins a sample: "equal" extra tasks share it */
    bool (*start)(const struct batch *);
    void (*stop)(void);
};

uint32_t ring_thread_bytes(void); /* of heap, for each thread of task switching */

extern const struct indicator switching, preemption, interrupt, shuffling, hardware, wake_up;

/* Samples (samples.c). A thread or ISR begins one and another ends it; there is never more than one
 * under way. `origin`: 0 the thread of the paper, 1 an interrupt that nobody foresees. Untimed
 * work is done before the clock is read. */
enum { ORIGIN_THREAD, ORIGIN_LINE };
void samples_reset(uint16_t wanted);
void sample_prepare(uint8_t origin);
void sample_begin(uint32_t start);
bool sample_end(uint32_t stop); /* whether the buffer is full now; callable from an ISR */
bool samples_are_full(void);
/* Of the samples that the paper's thread began: when the last one began, how long it was, and how
 * long the shortest was (0 before the first). */
uint32_t samples_began(void);
uint32_t samples_last(void);
uint32_t samples_least(void);
/* The batch is over: no more are kept, where ending threads takes a while. */
#ifdef PORT_ENDS_SLOWLY
void samples_close(void);
#else
static inline void samples_close(void) {}
#endif
bool line_is_wanted(void); /* whether the line may begin one more */
/* Task switching: stamps, in a list for each thread of the ring; all lists in the same memory. */
uint16_t stamps_share(uint16_t threads); /* for each; 0: there is no space */
bool stamp_is_wanted(uint32_t stamp);    /* it begins a sample: it lies in a burst */
uint32_t *stamps_at(uint16_t place);
void stamps_keep(const uint32_t *list, uint16_t taken, uint8_t origin); /* list by list, in order */
uint16_t samples_count(void);
void samples_put(uint16_t offset, uint16_t count); /* into the answer under way */

/* Ends the batch: the monitor, which outranks the caller, goes on. */
void batch_is_full(void);
void batch_is_full_from_isr(void);

struct outcome {
    enum wire_reason refused;
    uint32_t a, b;
    uint32_t ticks; /* that the batch took */
    uint16_t load;  /* share of the load, in hundredths of a percent */
};

struct room {
    uint32_t fixed_bytes, task_bytes, free_bytes;
};

struct outcome batch_run(const struct batch *);
struct outcome batch_room(const struct batch *, struct room *);
const struct indicator *indicator_at(uint8_t id); /* NULL: there is none */

/* Calibration (section III.B). */
enum calibration_unit { UNIT_DOUBLE, UNIT_INTEGER, UNITS };
struct outcome calibrate(uint8_t unit, bool empty, uint16_t length);
extern const char calibration_arithmetic[];

/* The load (load.c); what its threads do is in the files *_load.c and the kernel's background.c. */
bool load_start(const struct batch *);
void load_begin(void);     /* the window of measurement opens */
uint16_t load_end(void);   /* it closes: the share that the load had, in hundredths of a percent */
bool load_stop(void);      /* false: a thread did not finish its round */
void load_interrupt(void); /* the load's ISR */

/* Whether ticks account for what they take of the processor, which is the load's. Otherwise it is
 * paid for with the wake-ups of its threads. */
#ifdef PORT_DEAR_TICK
enum { TICK_IS_DEAR = 1 };
#else
enum { TICK_IS_DEAR = 0 };
#endif

/* Time on the processor (busy.c), of whoever calls, without that of others who came between. */
#ifdef NO_BACKGROUND
enum { BUSY_TEST, BUSY_LOAD, BUSY_WOKEN = BUSY_LOAD, BUSY_LINE, BUSY_MANY };
#else
enum { BUSY_TEST, BUSY_LOAD, BUSY_WOKEN = BUSY_LOAD + BACKGROUND_THREADS, BUSY_LINE, BUSY_MANY };
#endif
struct busy {
    uint32_t since, others;
    uint8_t whose;
};
void busy_reset(void);
void busy_ticks_take(uint32_t counts); /* of the processor, each */
struct busy busy_begin(uint8_t whose);
uint32_t busy_lap(struct busy *); /* since it began, or since the last lap */
void busy_elsewhere(uint8_t whose,
                    uint32_t counts);  /* of an ISR: not the time of whoever it interrupted */
extern volatile uint32_t busy_periods; /* how often a thread of the load began to work */

/* Called by whoever begins samples, between two (pause.c). */
void pausing_begins(bool loaded, uint32_t wait_counts);
void pause_between_samples(void);
void busy_sleeps(
    uint8_t whose); /* the caller is about to wait, and what that takes is no other's time */

/* One step of a background thread: some calls that leave the kernel as they found it. */
struct background {
    uint8_t origin; /* 1 to 5 */
    uint32_t random;
    struct busy busy;
    uint32_t seen;   /* up to which count `owed` has the share of the time that passed */
    int64_t owed;    /* counts × SHARES, still to be worked */
    uint64_t worked; /* counts */
    const struct step *steps;
    uint8_t step_count;
    void (*wait)(struct background *, uint32_t tick); /* until that tick; NULL: port_sleep_until */
    volatile bool finished;
    struct port_thread thread;
};
struct step {
    void (*run)(struct background *);
};
uint32_t next_random(uint32_t *state);

/* Facilities of the kernel, counted; `underway` says what each background thread is in. */
struct facility {
    const char *name;
    uint8_t holds; /* bits of enum holding */
};
enum holding { HOLDS_INTERRUPTS = 1, HOLDS_SCHEDULER = 2 };
extern const struct facility facilities[];
extern const uint8_t facility_count;
extern volatile uint32_t facility_calls[];
extern volatile uint32_t underway[BACKGROUND_THREADS + 1];

/* Counts that nobody used (rehearsal.c), while this runs; false: there is no memory for it. */
bool idle_start(uint8_t many); /* threads of equal rank that count */
uint32_t idle_counts(void);
void idle_stop(void);
uint32_t tick_counts(bool switches); /* of the processor, for a tick, if it switches threads */
uint32_t sleep_counts(void);         /* of the processor, for a thread that sleeps and is woken */

/* The steps of each kind of load; false: they cannot be had here. */
bool background_set_up(struct background threads[BACKGROUND_THREADS]);
void background_tear_down(void);
bool memory_set_up(struct background threads[BACKGROUND_THREADS]);
void memory_tear_down(void);
bool io_set_up(struct background threads[BACKGROUND_THREADS]);
void io_tear_down(void);

/* Extra tasks (extra.c). */
bool extra_start(const struct batch *, enum rank equal);
void extra_stop(void);

#endif
