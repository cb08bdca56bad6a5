/* A device that is declared, not real: it stuffs and checks octets itself, and puts whole frames
 * into memory. An interrupt comes for each, and when one has left. */
#include "aic_pass.h"
#include "entries.h"
#include "framing_registers.h"
#include "line_internal.h"
#include "sir.h"
#include "usart_registers.h"

/* A window, and one more. */
enum { FRAMES = 8, FRAME_OCTETS = LINE_BUFFER_OCTETS + 2 };

static struct {
    uint8_t octets[FRAME_OCTETS];
    size_t count;
} frames[FRAMES];
/* Frames that came, and that were given back, since the start. */
static volatile uint32_t came, returned;
static volatile bool heard, sent;

void line_start(void *task, size_t buffer_octets, uint32_t time_out_bits) {
    line_task = task;
    line_clock_start();
    aic_pass(AIC_USART, AIC_HIGHEST_PRIORITY, line_entered);
    line_set_speed(9600);
    usart_set(FRAMING_RMR, FRAME_OCTETS);
    usart_set(FRAMING_RPR, frames[0].octets);
    usart_set(FRAMING_CR, FRAMING_ENABLE | FRAMING_HALF_DUPLEX);
    usart_set(FRAMING_IER, FRAMING_WHOLE | FRAMING_SENT);
}

void line_wait(uint32_t at_us) {
    line_clock_sleep(at_us);
}

void line_set_speed(uint32_t bits_per_second) {
    usart_set(FRAMING_BRGR, line_divisor(bits_per_second));
}

void line_send_frame(const uint8_t *octets, size_t count, uint16_t extra_flags) {
    sent = false;
    usart_set(FRAMING_XFR, extra_flags);
    usart_set(FRAMING_TPR, octets);
    usart_set(FRAMING_TCR, count);
}

bool line_is_idle(void) {
    return sent;
}

size_t line_lend_frame(const uint8_t **octets) {
    if (came == returned)
        return 0;
    *octets = frames[returned % FRAMES].octets;
    return frames[returned % FRAMES].count;
}

void line_return_frame(void) {
    returned++;
}

bool line_has_heard(void) {
    bool has = heard || (usart_get(FRAMING_SR) & FRAMING_HEARD);
    heard = false;
    return has;
}

/* The place of the next frame is known before its first octet: a flag and the check come between.
 * Where the task holds all others, the next frame takes the place of this one, which is lost. */
static void frame_came(void) {
    frames[came % FRAMES].count = usart_get(FRAMING_RLR);
    if (came - returned < FRAMES - 1)
        came++;
    usart_set(FRAMING_RPR, frames[came % FRAMES].octets);
}

BaseType_t line_usart_taken(void) {
    uint32_t status = usart_get(FRAMING_SR);
    heard |= (status & FRAMING_HEARD) != 0;
    sent |= (status & FRAMING_SENT) != 0;
    if (status & FRAMING_WHOLE)
        frame_came();
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return line_wake();
}
