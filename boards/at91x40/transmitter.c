/* The transmitter of the AT91x40: USART1 (AT91X40 data sheet). */
#include "transmitter.h"

enum { CR_RESET_BOTH = 1 << 2 | 1 << 3, CR_ENABLE_TRANSMITTER = 1 << 6 };
enum { MR_8N1 = 3 << 6 | 4 << 9 };
enum { DIVISOR = BOARD_CORE_HZ / (16 * TRANSMITTER_BAUD) };
_Static_assert(16 * TRANSMITTER_BAUD * DIVISOR == BOARD_CORE_HZ, "the rate is exact");

void board_start_transmitter(void (*isr)(void)) {
    AT91C_BASE_US1->US_IDR = ~0u;
    AT91C_BASE_US1->US_CR = CR_RESET_BOTH;
    AT91C_BASE_US1->US_MR = MR_8N1;
    AT91C_BASE_US1->US_BRGR = DIVISOR;
    AT91C_BASE_US1->US_CR = CR_ENABLE_TRANSMITTER;
    AT91C_BASE_AIC->AIC_SVR[AT91C_ID_US1] = (uint32_t)isr;
    AT91C_BASE_AIC->AIC_SMR[AT91C_ID_US1] = AIC_SRCTYPE_INT_LEVEL_SENSITIVE;
    AT91C_BASE_AIC->AIC_IECR = 1 << AT91C_ID_US1;
}
