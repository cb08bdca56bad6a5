/* The transmitter of the STM32F100: USART2, PA2 (RM0041). */
#include "transmitter.h"

#include "interrupts.h"

enum { CR1_TRANSMITTER = 1 << 3, CR1_ON = 1 << 13 };
enum { PA2_MASK = 0xF00, PA2_TX = 0xB00 };
enum { DIVISOR = BOARD_CORE_HZ / TRANSMITTER_BAUD };
_Static_assert(TRANSMITTER_BAUD *DIVISOR == BOARD_CORE_HZ, "the rate is exact");

void board_start_transmitter(void (*isr)(void)) {
    GPIOA_CRL = (GPIOA_CRL & ~(uint32_t)PA2_MASK) | PA2_TX;
    USART2_CR1 = 0;
    USART2_BRR = DIVISOR;
    USART2_CR1 = CR1_ON | CR1_TRANSMITTER;
    attach_interrupt(INTERRUPT_USART2, isr);
}
