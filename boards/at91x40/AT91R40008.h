/* Register blocks of the part (AT91X40 data sheet), under the names that the FreeRTOS port for the
 * AT91R40008 asks for. */
#ifndef AT91R40008_H
#define AT91R40008_H

#include <stdint.h>

typedef volatile uint32_t at91_register;

/* Advanced interrupt controller */
struct at91_aic {
    at91_register AIC_SMR[32], AIC_SVR[32];
    at91_register AIC_IVR, AIC_FVR, AIC_ISR, AIC_IPR, AIC_IMR, AIC_CISR, reserved[2];
    at91_register AIC_IECR, AIC_IDCR, AIC_ICCR, AIC_ISCR, AIC_EOICR, AIC_SPU;
};
_Static_assert(sizeof(struct at91_aic) == 0x138, "AIC_SPU is at 0x134");

/* A channel of the timer counter */
struct at91_tc {
    at91_register TC_CCR, TC_CMR, reserved[2], TC_CV, TC_RA, TC_RB, TC_RC;
    at91_register TC_SR, TC_IER, TC_IDR, TC_IMR;
};
_Static_assert(sizeof(struct at91_tc) == 0x30, "TC_IMR is at 0x2C");

/* Registers that the three channels share, behind theirs */
struct at91_tc_block {
    at91_register TC_BCR, TC_BMR;
};

/* USART with its two channels of the peripheral data controller */
struct at91_usart {
    at91_register US_CR, US_MR, US_IER, US_IDR, US_IMR, US_CSR, US_RHR, US_THR;
    at91_register US_BRGR, US_RTOR, US_TTGR, reserved;
    at91_register US_RPR, US_RCR, US_TPR, US_TCR;
};
_Static_assert(sizeof(struct at91_usart) == 0x40, "US_TCR is at 0x3C");

/* Parallel I/O, up to the data */
struct at91_pio {
    at91_register PIO_PER, PIO_PDR, PIO_PSR, reserved0, PIO_OER, PIO_ODR, PIO_OSR, reserved1;
    at91_register PIO_IFER, PIO_IFDR, PIO_IFSR, reserved2, PIO_SODR, PIO_CODR, PIO_ODSR, PIO_PDSR;
};
_Static_assert(sizeof(struct at91_pio) == 0x40, "PIO_PDSR is at 0x3C");

/* Power saving */
struct at91_ps {
    at91_register PS_CR, PS_PCER, PS_PCDR, PS_PCSR;
};

#define AT91C_BASE_AIC ((struct at91_aic *)0xFFFFF000)
#define AT91C_BASE_US0 ((struct at91_usart *)0xFFFD0000)
#define AT91C_BASE_US1 ((struct at91_usart *)0xFFFCC000)
#define AT91C_BASE_PIO ((struct at91_pio *)0xFFFF0000)
#define AT91C_BASE_TC0 ((struct at91_tc *)0xFFFE0000)
#define AT91C_BASE_TC1 ((struct at91_tc *)0xFFFE0040)
#define AT91C_BASE_TC2 ((struct at91_tc *)0xFFFE0080)
#define AT91C_BASE_TC_BLOCK ((struct at91_tc_block *)0xFFFE00C0)
#define AT91C_BASE_PS ((struct at91_ps *)0xFFFF4000)

/* Sources of the interrupt controller */
#define AT91C_ID_US1 3
#define AT91C_ID_TC1 5

/* Clock of timer channel 0: bit 4 of the power saving's registers */
#define AT91C_PS_TC0 (1u << 4)

/* PS_CR: the core stops */
#define AT91C_PS_CPU (1u << 0)

#endif
