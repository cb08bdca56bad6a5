/* USART 1: its speed, its losses, and what it sends. */
#include "aic_pass.h"
#include "line_internal.h"
#include "port.h"
#include "receivers.h"
#include "ring.h"
#include "usart_registers.h"

enum { NS_PER_DIVISOR = 4883 }; /* of ten bits, each of 16 clocks: rounded up */

volatile struct line_losses line_losses;

static uint32_t octet_ns;
static bool sends;
static uint32_t sends_until_us;

void usart_open(void (*entry)(void)) {
    usart_set(LINE_IDR, ~0u);
    usart_set(LINE_CR, CR_RESET);
    usart_set(LINE_MR, MR_8N1);
    line_set_speed(9600);
    if (entry) {
        aic_pass(AIC_USART, AIC_HIGHEST_PRIORITY, entry);
    }
    usart_set(LINE_CR, CR_ENABLE);
}

void line_set_speed(uint32_t bits_per_second) {
    uint32_t divisor = line_divisor(bits_per_second);
    octet_ns = divisor * NS_PER_DIVISOR;
    usart_set(LINE_BRGR, divisor);
}

#if SEND == SEND_BYTE || RECEIVE != RECEIVE_PDC
static void note_sending(size_t count) {
    sends = true;
    sends_until_us = line_now_us() + (count + 1) * octet_ns / 1000;
}
#endif

bool usart_sends(uint32_t *until_us) {
    *until_us = sends_until_us;
    return sends;
}

#if SEND == SEND_BYTE
void line_send(const uint8_t *octets, size_t count) {
    usart_set(LINE_IDR, CSR_RXRDY);
    usart_set(LINE_CR, CR_DISABLE_RECEIVER);
    line_begin_sending(octets, octets + count);
    note_sending(count);
    usart_set(LINE_IER, CSR_TXRDY);
}

bool line_is_idle(void) {
    if ((usart_get(LINE_IMR) & CSR_TXRDY) || !(usart_get(LINE_CSR) & CSR_TXEMPTY))
        return false;
    if (sends) {
        line_end_sending();
        usart_set(LINE_CR, CR_ENABLE_RECEIVER);
        usart_set(LINE_IER, CSR_RXRDY);
        sends = false;
    }
    return true;
}
#else
void line_send(const uint8_t *octets, size_t count) {
    usart_set(LINE_TPR, octets);
    usart_set(LINE_TCR, count);
#if RECEIVE == RECEIVE_PDC
    usart_set(LINE_IER, CSR_ENDTX);
#else
    note_sending(count);
#endif
}

bool line_is_idle(void) {
    uint32_t status = usart_get(LINE_CSR);
    bool idle = (status & CSR_ENDTX) && (status & CSR_TXEMPTY);
    sends = sends && !idle;
    return idle;
}
#endif

bool usart_note_damage(uint32_t status) {
    if (!(status & CSR_DAMAGED))
        return false;
    line_losses.overruns += (status & CSR_OVERRUN) != 0;
    line_losses.framing_errors += (status & CSR_FRAMING) != 0;
    usart_set(LINE_CR, CR_RESET_STATUS);
    return true;
}
