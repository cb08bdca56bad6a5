/* The reader looks for each character itself, all the time. */
#include "layers.h"
#include "usart.h"

static void nothing(void) {}

void line_open(void) {
    usart_open(nothing);
}

size_t line_receive(const uint8_t **octets) {
    static uint8_t octet;
    while (!(usart_get(LINE_CSR) & CSR_RXRDY))
        ;
    octet = (uint8_t)usart_get(LINE_RHR);
    *octets = &octet;
    return 1;
}

void line_release(void) {}
