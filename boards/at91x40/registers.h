/* The registers of the AT91x40 that the firmware uses (AT91X40 data sheet), and the clock: MCK,
 * which everything runs at. */
#ifndef REGISTERS_H
#define REGISTERS_H

#define BOARD_CORE_HZ 32768000
#define BOARD_PCLK_HZ BOARD_CORE_HZ

/* MCK / (16 x divisor). */
#define WIRE_DIVISOR 2
#define BOARD_WIRE_BAUD (BOARD_CORE_HZ / (16 * WIRE_DIVISOR))

/* The tick of cases: the slowest that the 16 bits of the port's timer hold exactly. */
#define BOARD_TICK_HZ 64

/* External bus interface: chip select 0 is the ROM, 1 the RAM, both of 16 bits. */
#define EBI_BASE 0xFFE00000
#define EBI_CSR0 0x00
#define EBI_CSR1 0x04
#define EBI_RCR 0x20
#define EBI_MCR 0x24
#define ROM_BASE 0x00400000
#define RAM_BASE 0x01000000
#define CSR_16_BITS 1
#define CSR_4_MB (1 << 7)
#define CSR_BYTE_SELECT (1 << 12)
#define CSR_ENABLED (1 << 13)
/* Of 0 to 8 wait states: NWS has one less, WSE says whether there are any. */
#define CSR_WAITS(waits) ((((waits) + 7) & 7) << 2 | (((waits) + 7) / 8) << 5)
#define CSR_VALUE(base, waits) \
    ((base) | CSR_ENABLED | CSR_BYTE_SELECT | CSR_4_MB | CSR_WAITS(waits) | CSR_16_BITS)

#ifndef __ASSEMBLER__
#include "AT91R40008.h"

/* Channel 0, the tick of FreeRTOS: its clock is MCK / 2, or MCK / 8 where bit 0 of TC_CMR is set.
 */
#define BOARD_COUNTS_TO_TICK \
    ((AT91C_BASE_TC0->TC_RC - AT91C_BASE_TC0->TC_CV) << 1 << 2 * (AT91C_BASE_TC0->TC_CMR & 1))

/* Channel 1: alarm and line; in images with cases, the timer tc */
#define BOARD_LINE_COUNT (&AT91C_BASE_TC1->TC_CV)
#define BOARD_LINE_HZ (BOARD_CORE_HZ / 2)
#define BOARD_ALARM_COUNT BOARD_LINE_COUNT
#define BOARD_COUNT_BITS 16

/* Of a load by interrupts: from ROM with its wait states each takes a hundred microseconds. */
#define BOARD_LOAD_INTERRUPTS_HZ 1000

/* A pointer that nothing is transferred to. */
#define BOARD_SCRATCH AT91C_BASE_US1->US_RPR
#endif

#endif
