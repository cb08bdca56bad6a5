/* An interrupt for each octet, which makes no call of the kernel: it fills a ring. The end of a
 * frame requests an interrupt of software, whose handler wakes the task. */
#include "aic_pass.h"
#include "entries.h"
#include "line_internal.h"
#include "port.h"
#include "receivers.h"
#include "ring.h"
#include "usart_registers.h"

uint8_t ring[RING_OCTETS];
uint8_t *volatile ring_readable = ring;

static const uint8_t *reading = ring;

void line_start(void *task, size_t buffer_octets, uint32_t time_out_bits) {
    line_task = task;
    line_clock_start();
    aic_pass(AIC_SOFTWARE, AIC_EDGE, wake_entered);
    usart_open(line_entered);
    line_prepare_entry();
    usart_set(LINE_IER, CSR_RXRDY);
}

/* The interrupt is for octets that come. So the task looks itself whether all have left. */
void line_wait(uint32_t at_us) {
    uint32_t until_us;
    if (usart_sends(&until_us) && irda_is_due(at_us, until_us))
        at_us = until_us;
    line_clock_sleep(at_us);
}

BaseType_t wake_requested(void) {
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return line_wake();
}

size_t line_lend(const uint8_t **octets) {
#if SEND == SEND_BYTE
    uint32_t until_us;
    if (!usart_sends(&until_us)) /* else the entry has another place in its registers */
#endif
        line_note_place();
    const uint8_t *end = ring_readable;
    *octets = reading;
    return (size_t)((end >= reading ? end : ring + RING_OCTETS) - reading);
}

void line_return(size_t count) {
    reading += count;
    if (reading == ring + RING_OCTETS)
        reading = ring;
}

bool line_was_damaged(void) {
    return usart_note_damage(usart_get(LINE_CSR));
}
