/* An interrupt for each character, which goes through the kernel to the reader. */
#include "aic_pass.h"
#include "layers.h"
#include "line_entries.h"
#include "usart.h"

void line_open(void) {
    layers_open();
    usart_open(line_entered);
    usart_set(LINE_IER, CSR_RXRDY);
}

BaseType_t line_interrupted(void) {
    BaseType_t woken = pdFALSE;
    uint8_t octet = (uint8_t)usart_get(LINE_RHR);
    layers_put(&octet, 1, &woken);
    AT91C_BASE_AIC->AIC_EOICR = 0;
    return woken;
}

void driver_released(void) {}

void driver_look(void) {}
