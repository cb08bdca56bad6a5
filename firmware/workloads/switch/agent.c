/* The agent of an image that shows what a context switch costs: runs one window a request. */
#include "../../harness/agent.h"

#include "switch.h"

enum { PREEMPTED = 1, BY_INTERRUPT = 2 };

/* Body: options:u8 characters:u8 operations:u16 delay:u32. */
static bool read_order(const struct wire_request *request) {
    const uint8_t *body = request->body;
    struct order order = {.preempted = body[0] & PREEMPTED,
                          .by_interrupt = body[0] & BY_INTERRUPT,
                          .characters = body[1],
                          .operations = wire_get16(body + 2),
                          .delay_counts = wire_get32(body + 4)};
    uint32_t wrong = 0;
    if (order.characters == 0 || order.characters > MOST_CHARACTERS)
        wrong = order.characters;
    else if (order.operations > MOST_OPERATIONS)
        wrong = order.operations;
    else {
        ordered = order;
        return true;
    }
    refuse(request->sequence, REFUSED_VALUE, wrong, 0);
    return false;
}

static void serve_switch(const struct wire_request *request) {
    if (!read_order(request))
        return;
    stamped = (struct stamps){0};
    kernel_run_window();
    begin_answer(request);
    const uint32_t *stamp = (const uint32_t *)&stamped;
    for (size_t i = 0; i < sizeof stamped / sizeof *stamp; i++)
        wire_put32(stamp[i]);
}

static const struct service services[] = {
    {WIRE_HELLO, 0, hello},
    {WIRE_SWITCH, 8, serve_switch},
};

void agent_serve(void) {
    serve_for_ever(services, sizeof services / sizeof services[0]);
}
