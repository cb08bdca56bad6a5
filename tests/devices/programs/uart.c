/* UART0 (LPC214x user manual, UM10139), set up from the host.
 * arguments: VPBDIV, divisor, FDR, LCR, FCR, IER, PINSEL0, and how many bytes to send, or "go on".
 */
#include "part.h"

enum { LSR_RECEIVED = 1, LSR_ALL_SENT = 1 << 6, LCR_DIVISOR = 1 << 7 };

static void set_up(void) {
    VPBDIV = arguments[0];
    PINSEL0 = arguments[6];
    U0LCR = LCR_DIVISOR;
    U0DLL = arguments[1];
    U0DLM = 0;
    U0FDR = arguments[2];
    U0LCR = arguments[3];
    U0FCR = arguments[4];
    U0IER = arguments[5];
}

/* Sends 'A', 'B' ... and waits until the last has left; notes LSR before, behind and at the end. */
void transmit(void) {
    uint32_t count = arguments[7];
    set_up();
    values[0] = U0LSR;
    for (uint32_t i = 0; i < count; i++)
        U0THR = 'A' + i;
    values[1] = U0LSR;
    while (!(U0LSR & LSR_ALL_SENT))
        ;
    values[2] = U0LSR;
}

/* Sends, then leaves the transmit interrupt standing until the host says "go on"; notes IIR twice.
 */
void transmit_interrupt(void) {
    uint32_t count = arguments[7];
    set_up();
    for (uint32_t i = 0; i < count; i++)
        U0THR = 'A' + i;
    arguments[7] = 0;
    while (!arguments[7])
        ;
    values[0] = U0IIR;
    values[1] = U0IIR;
}

/* When the host says "go on", notes IIR, then LSR and the byte in turn, until LSR says that none is
 * left. */
void listen(void) {
    set_up();
    while (!arguments[7])
        ;
    unsigned n = 0;
    values[n++] = U0IIR;
    for (;;) {
        uint32_t status = U0LSR;
        values[n++] = status;
        if (!(status & LSR_RECEIVED))
            break;
        values[n++] = U0RBR;
    }
}
