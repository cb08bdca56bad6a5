/* A queue at which tasks wait for a message that never comes. */
#include "cases/freertos_case.h"

static QueueHandle_t gate;

bool create_gate(void) {
    gate = xQueueCreate(1, sizeof(uint32_t));
    return gate != NULL;
}

void delete_gate(void) {
    vQueueDelete(gate);
}

void wait_at_gate(void *unused) {
    uint32_t message;
    for (;;)
        xQueueReceive(gate, &message, portMAX_DELAY);
}

uint32_t gate_bytes(const struct series *series) {
    return GATE_BYTES + PARTNER_BYTES;
}

bool start_at_gate(const struct series *series) {
    return create_gate() && start_partner(wait_at_gate, PRIORITY_WOKEN);
}

void delete_at_gate(const struct series *series) {
    stop_partner();
    delete_gate();
}
