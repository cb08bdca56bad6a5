/* The transmitter of the LPC2148: UART1 (UM10139). */
#include "transmitter.h"

enum { LCR_8N1 = 3, LCR_DIVISOR = 1 << 7, FCR_ENABLE_AND_RESET = 7 };
enum { UART1_SOURCE = 7, VECTCNTL_ENABLE = 1 << 5 };
enum { P0_8_MASK = 3 << 16, P0_8_TXD1 = 1 << 16 };
enum { DIVISOR = BOARD_PCLK_HZ / (16 * TRANSMITTER_BAUD) };
_Static_assert(16 * TRANSMITTER_BAUD * DIVISOR == BOARD_PCLK_HZ, "the rate is exact");

void board_start_transmitter(void (*isr)(void)) {
    PINSEL0 = (PINSEL0 & ~(uint32_t)P0_8_MASK) | P0_8_TXD1;
    U1IER = 0;
    U1LCR = LCR_8N1 | LCR_DIVISOR;
    U1DLL = DIVISOR;
    U1DLM = 0;
    U1LCR = LCR_8N1;
    U1FCR = FCR_ENABLE_AND_RESET;
    VICVectAddr3 = (uint32_t)isr;
    VICVectCntl3 = UART1_SOURCE | VECTCNTL_ENABLE;
    VICIntEnable = 1 << UART1_SOURCE;
}
