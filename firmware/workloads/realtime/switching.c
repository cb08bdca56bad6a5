/* Task switching (Figures 2 and 3): threads of equal priority note the time and yield, in turn.
 * Five, and with them the extra tasks that are ready at equal priority. Of medium priority, so that
 * the load is what Figure 2 calls services. */
#include "realtime.h"

struct ring_thread {
    struct port_thread thread;
    uint32_t *list, *next, *end;
};

static struct ring_thread *ring;
static uint16_t ring_size;
static volatile bool is_begun; /* the last stamp began a sample, which the next one ends */

uint32_t ring_thread_bytes(void) {
    return port_task_bytes(TEST_STACK) + (uint32_t)sizeof(struct ring_thread);
}

static void keep(struct ring_thread *self, uint32_t stamp) {
    *self->next++ = stamp;
    if (self->next == self->end) {
        batch_is_full();
        port_suspend_self();
    }
}

static void take_turns(void *argument) {
    struct ring_thread *self = argument;
    CLOCK;
    for (;;) {
        uint32_t stamp = NOW("realtime.switching.stamp");
        bool ends = is_begun, begins = stamp_is_wanted(stamp);
        is_begun = begins;
        if (begins || ends)
            keep(self, stamp);
        port_yield();
    }
}

static bool start_ring(uint16_t size, uint16_t share) {
    ring_size = 0;
    ring = port_allocate(size * sizeof *ring);
    while (ring != NULL && ring_size < size) {
        struct ring_thread *one = &ring[ring_size];
        one->list = one->next = stamps_at((uint16_t)(ring_size * share));
        one->end = one->list + share;
        if (!port_start(&one->thread, "test", take_turns, one, RANK_CONTROL, TEST_STACK))
            return false;
        ring_size++;
    }
    return ring != NULL;
}

static bool start(const struct batch *batch) {
    uint16_t size = TEST_THREADS;
    if (batch->placement == READY_EQUAL)
        size = (uint16_t)(size + batch->extra_tasks);
    uint16_t share = stamps_share(size);
    is_begun = false;
    return share != 0 && start_ring(size, share);
}

#ifdef PORT_ENDS_SLOWLY

/* While a thread ends, the others go on. Their stamps are of no batch. */
static void drop_stamps_after(uint32_t ended) {
    for (uint16_t i = 0; i < ring_size; i++)
        while (ring[i].next > ring[i].list && (int32_t)(ring[i].next[-1] - ended) > 0)
            ring[i].next--;
}

#define BATCH_ENDS() uint32_t ended = timer_now()
#else
#define BATCH_ENDS() ((void)0)
#define drop_stamps_after(ended) ((void)0)
#endif

static void stop(void) {
    BATCH_ENDS();
    for (uint16_t i = 0; i < ring_size; i++)
        port_stop(&ring[i].thread);
    drop_stamps_after(ended);
    for (uint16_t i = 0; i < ring_size; i++)
        stamps_keep(ring[i].list, (uint16_t)(ring[i].next - ring[i].list),
                    (uint8_t)(i < TEST_THREADS ? i : TEST_THREADS));
    port_free(ring);
    ring = NULL;
    ring_size = 0;
}

const struct indicator switching = {"switching", NULL, RANK_CONTROL, start, stop};
