/* The AT91x40 as the firmware uses it (AT91X40 data sheet): wire on USART0, which the peripheral
 * data controller receives for. start.S has set up the memories. */
#include "board.h"

#include <stddef.h>

#include "wire.h"

enum { CR_RESET_BOTH = 1 << 2 | 1 << 3, CR_ENABLE_BOTH = 1 << 4 | 1 << 6 };
enum { MR_8N1 = 3 << 6 | 4 << 9 };
enum { CSR_ROOM = 1 << 1 };

/* A request is shorter. */
enum { INCOMING_BYTES = 512 };
static uint8_t incoming[INCOMING_BYTES];
static const uint8_t *next; /* NULL while nothing is received */
static bool in_frame;

/* Received bytes go to the buffer from now on; an older one is dropped. */
static void listen(void) {
    (void)AT91C_BASE_US0->US_RHR;
    AT91C_BASE_US0->US_RPR = (uint32_t)incoming;
    AT91C_BASE_US0->US_RCR = INCOMING_BYTES;
    next = incoming;
    in_frame = false;
}

/* Transfers take the bus from the core, so none are made while a request is served. */
static void stop_listening(void) {
    AT91C_BASE_US0->US_RCR = 0;
    next = NULL;
}

/* In start.S: what is entered for an interrupt that no handler is there for. */
void interrupt_taken(void);

void board_start(void) {
    AT91C_BASE_AIC->AIC_SPU = (uint32_t)interrupt_taken;
    AT91C_BASE_US0->US_CR = CR_RESET_BOTH;
    AT91C_BASE_US0->US_MR = MR_8N1;
    AT91C_BASE_US0->US_BRGR = WIRE_DIVISOR;
    AT91C_BASE_US0->US_CR = CR_ENABLE_BOTH;
}

/* Once the answer begins to come the host may ask again. */
void board_send(uint8_t byte) {
    if (next == NULL)
        listen();
    while (!(AT91C_BASE_US0->US_CSR & CSR_ROOM))
        ;
    AT91C_BASE_US0->US_THR = byte;
}

/* A frame ends with a 0 (docs/reference/wire.md), and may begin with one. */
bool board_receive(uint8_t *byte) {
    if (next == NULL || next == incoming + INCOMING_BYTES)
        listen();
    if ((const uint8_t *)AT91C_BASE_US0->US_RPR == next)
        return false;
    *byte = *(const volatile uint8_t *)next++;
    if (*byte == 0 && in_frame)
        stop_listening();
    in_frame = *byte != 0;
    return true;
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
