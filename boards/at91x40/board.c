/* The AT91x40 as the firmware uses it (AT91X40 data sheet). start.S has set up the memories. */
#include "board.h"
#include "usart_wire.h"

/* In start.S: what is entered for an interrupt that no handler is there for. */
void interrupt_taken(void);

void board_start(void) {
    AT91C_BASE_AIC->AIC_SPU = (uint32_t)interrupt_taken;
    start_wire();
}

bool board_receive(uint8_t *byte) {
    return receive_from_wire(byte);
}

void board_sleep(void) {
    AT91C_BASE_PS->PS_CR = AT91C_PS_CPU;
}

/* There are no buffers. */
void board_forget_code(void) {}

#include "stack_guard.h"

bool board_rest(void) {
    return false;
}

/* Source 1 of the controller is there for software. The tick has priority 6. */
enum { SOFTWARE_SOURCE = 1, SMR_EDGE = 1 << 5 };

void board_attach_interrupt(void (*isr)(void)) {
    AT91C_BASE_AIC->AIC_SVR[SOFTWARE_SOURCE] = (uint32_t)isr;
    AT91C_BASE_AIC->AIC_SMR[SOFTWARE_SOURCE] = SMR_EDGE;
    AT91C_BASE_AIC->AIC_IECR = 1 << SOFTWARE_SOURCE;
}

void board_request_interrupt(void) {
    AT91C_BASE_AIC->AIC_ISCR = 1 << SOFTWARE_SOURCE;
}

void board_end_interrupt(void) {
    AT91C_BASE_AIC->AIC_EOICR = 0;
}

#include "exceptions.h"
