/* The task looks for each octet itself, all the time, up to the end of a frame. */
#include "line_internal.h"
#include "port.h"
#include "sir.h"
#include "usart_registers.h"

static uint8_t octets_came[LINE_BUFFER_OCTETS];
static size_t came, taken;

void line_start(void *task, size_t buffer_octets, uint32_t time_out_bits) {
    line_task = task;
    line_clock_start();
    usart_open(NULL);
}

void line_wait(uint32_t at_us) {
    uint32_t until_us;
    came = taken = 0;
    while (came < sizeof octets_came) {
        if (usart_get(LINE_CSR) & CSR_RXRDY) {
            uint8_t octet = (uint8_t)usart_get(LINE_RHR);
            octets_came[came++] = octet;
            if (octet == SIR_EOF)
                return;
        } else if ((usart_sends(&until_us) && line_is_idle()) ||
                   irda_is_due(line_now_us(), at_us)) {
            return;
        }
    }
}

size_t line_lend(const uint8_t **octets) {
    *octets = octets_came + taken;
    return came - taken;
}

void line_return(size_t count) {
    taken += count;
}

bool line_was_damaged(void) {
    return usart_note_damage(usart_get(LINE_CSR));
}
