/* Tasks beside those of the test (section IV.B, Figure 9). */
#include "realtime.h"

static struct port_thread *extra;
static uint16_t extra_count;

static void yield_for_ever(void *unused) {
    (void)unused;
    for (;;)
        port_yield();
}

static void sleep_for_ever(void *unused) {
    (void)unused;
    for (;;)
        port_sleep(PORT_LONG_TICKS);
}

bool extra_start(const struct batch *batch, enum rank equal) {
    static void (*const bodies[PLACEMENTS])(void *) = {yield_for_ever, yield_for_ever,
                                                       sleep_for_ever};
    const enum rank ranks[PLACEMENTS] = {equal, RANK_EXTRA_LOWER, RANK_EXTRA_DELAYED};
    extra_count = 0;
    extra = port_allocate(batch->extra_tasks * sizeof *extra);
    while (extra != NULL && extra_count < batch->extra_tasks &&
           port_start(&extra[extra_count], "extra", bodies[batch->placement], NULL,
                      ranks[batch->placement], EXTRA_STACK))
        extra_count++;
    return extra_count == batch->extra_tasks;
}

void extra_stop(void) {
    for (uint16_t i = 0; i < extra_count; i++)
        port_stop(&extra[i]);
    extra_count = 0;
    port_free(extra);
    extra = NULL;
}
