/* The wire on USART0 (AT91X40 data sheet), which the peripheral data controller receives for. The
 * one file of a program that drives it includes this one. */
#ifndef USART_WIRE_H
#define USART_WIRE_H

#include <stddef.h>

#include "board.h"
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

static void start_wire(void) {
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
static bool receive_from_wire(uint8_t *byte) {
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

#endif
