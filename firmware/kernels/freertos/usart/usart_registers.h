/* The registers of USART 1 (AT91X40 data sheet), by number: the offset divided by 4. */
#ifndef USART_REGISTERS_H
#define USART_REGISTERS_H

#include <stdint.h>

#include "variants.h"

#define LINE_CR 0
#define LINE_MR 1
#define LINE_IER 2
#define LINE_IDR 3
#define LINE_IMR 4
#define LINE_CSR 5
#define LINE_RHR 6
#define LINE_BRGR 8
#define LINE_RTOR 9
#define LINE_RPR 12
#define LINE_RCR 13
#define LINE_TPR 14
#define LINE_TCR 15

#define CR_RESET (1u << 2 | 1u << 3 | 1u << 8)
#define CR_ENABLE_RECEIVER (1u << 4)
#define CR_DISABLE_RECEIVER (1u << 5)
#define CR_ENABLE (1u << 4 | 1u << 6)
#define CR_RESET_STATUS (1u << 8)
#define CR_START_TIME_OUT (1u << 11)
#define MR_8N1 (3u << 6 | 4u << 9)
#define CSR_RXRDY (1u << 0)
#define CSR_TXRDY (1u << 1)
#define CSR_ENDRX (1u << 3)
#define CSR_ENDTX (1u << 4)
#define CSR_OVERRUN (1u << 5)
#define CSR_FRAMING (1u << 6)
#define CSR_DAMAGED (1u << 2 | 1u << 5 | 1u << 6 | 1u << 7) /* break, overrun, framing, parity */
#define CSR_TIME_OUT (1u << 8)
#define CSR_TXEMPTY (1u << 9)

#define USART_BASE 0xFFFCC000

#if ACCESS == ACCESS_COPROCESSOR
/* Declared, not real: coprocessor 7 has the registers, number n as its register n. */
#define usart_get(number)                                                       \
    ({                                                                          \
        uint32_t got;                                                           \
        __asm volatile("mrc p7, 0, %0, c%c1, c0, 0" : "=r"(got) : "i"(number)); \
        got;                                                                    \
    })
#define usart_set(number, value)                         \
    __asm volatile("mcr p7, 0, %0, c%c1, c0, 0"          \
                   :                                     \
                   : "r"((uint32_t)(value)), "i"(number) \
                   : "memor"                             \
                     "y")
#else
#define usart_get(number) (((volatile uint32_t *)USART_BASE)[number])
#define usart_set(number, value) \
    (void)(((volatile uint32_t *)USART_BASE)[number] = (uint32_t)(value))
#endif

#endif
