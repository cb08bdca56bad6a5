/* USART 1: its line, and what it sends, which the PDC takes from memory whatever receives. */
#include "usart.h"

#include "aic_pass.h"

static uint8_t answer[FRAME_ON_LINE(0)];

void usart_open(void (*entry)(void)) {
    usart_set(LINE_CR, CR_RESET);
    usart_set(LINE_MR, MR_8N1);
    usart_set(LINE_BRGR, LINE_DIVISOR);
    aic_pass(AIC_USART, AIC_HIGHEST_PRIORITY, entry);
    usart_set(LINE_CR, CR_ENABLE);
}

void line_send(const uint8_t header[FRAME_HEADER]) {
    while (!(usart_get(LINE_CSR) & CSR_ENDTX))
        ;
    size_t length = frame_make(answer, header, NULL, 0);
    usart_set(LINE_TPR, answer);
    usart_set(LINE_TCR, length);
}
