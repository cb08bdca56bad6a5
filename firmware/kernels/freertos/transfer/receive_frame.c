/* A device that is declared, not real: it knows frames, and puts whole ones into memory
 * (studies/proposals/boards/framing_usart.py). An interrupt comes for each. */
#include "aic_pass.h"
#include "framing_registers.h"
#include "layers.h"
#include "line_entries.h"
#include "usart.h"

static uint8_t frames[BUFFERS][FRAME_HEADER + FRAME_MOST_BODY];
static unsigned filling;

void line_open(void) {
    layers_open();
    aic_pass(AIC_USART, AIC_HIGHEST_PRIORITY, line_entered);
    usart_set(FRAMING_BRGR, LINE_DIVISOR);
    usart_set(FRAMING_RPR, frames[filling]);
    usart_set(FRAMING_CR, FRAMING_ENABLE);
    usart_set(FRAMING_IER, FRAMING_WHOLE | FRAMING_BROKEN);
}

/* A frame of no octets stands for a broken one. A packet is answered before the next comes, so the
 * reader never holds all buffers. */
BaseType_t line_interrupted(void) {
    BaseType_t woken = pdFALSE;
    if (usart_get(FRAMING_SR) & FRAMING_BROKEN) {
        layers_put(frames[filling], 0, &woken);
    } else {
        const uint8_t *frame = frames[filling];
        size_t length = usart_get(FRAMING_RLR);
        filling = (filling + 1) % BUFFERS;
        usart_set(FRAMING_RPR, frames[filling]);
        layers_put(frame, length, &woken);
    }
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return woken;
}

void driver_released(void) {}

void driver_look(void) {}

void line_send(const uint8_t header[FRAME_HEADER]) {
    static uint8_t answer[FRAME_HEADER];
    answer[0] = header[0];
    answer[1] = header[1];
    usart_set(FRAMING_TPR, answer);
    usart_set(FRAMING_TCR, FRAME_HEADER);
}
