/* Registers of the LPC2148 that the firmware and the FreeRTOS port use (UM10139), and the clocks
 * that board.c sets. */
#ifndef REGISTERS_H
#define REGISTERS_H

#define BOARD_CRYSTAL_HZ 12000000
#define BOARD_CORE_HZ 60000000  /* PLL0: times 5 */
#define BOARD_PCLK_HZ 60000000  /* VPBDIV 1; the FreeRTOS port assumes PCLK = CCLK */
#define BOARD_WIRE_BAUD 1000000 /* exact at this PCLK, and exact on USB serial adapters */

#ifndef __ASSEMBLER__
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* System control */
#define MAMCR REGISTER(0xE01FC000)
#define MAMTIM REGISTER(0xE01FC004)
#define MEMMAP REGISTER(0xE01FC040)
#define PLL0CON REGISTER(0xE01FC080)
#define PLL0CFG REGISTER(0xE01FC084)
#define PLL0STAT REGISTER(0xE01FC088)
#define PLL0FEED REGISTER(0xE01FC08C)
#define PCON REGISTER(0xE01FC0C0)
#define VPBDIV REGISTER(0xE01FC100)

/* Pins */
#define PINSEL0 REGISTER(0xE002C000)

/* UART0 */
#define U0RBR REGISTER(0xE000C000)
#define U0THR REGISTER(0xE000C000)
#define U0DLL REGISTER(0xE000C000)
#define U0DLM REGISTER(0xE000C004)
#define U0FCR REGISTER(0xE000C008)
#define U0LCR REGISTER(0xE000C00C)
#define U0LSR REGISTER(0xE000C014)
#define U0FDR REGISTER(0xE000C028)

/* TIMER0: the tick of FreeRTOS */
#define T0_IR REGISTER(0xE0004000)
#define T0_TCR REGISTER(0xE0004004)
#define T0_PR REGISTER(0xE000400C)
#define T0_MCR REGISTER(0xE0004014)
#define T0_MR0 REGISTER(0xE0004018)

/* TIMER1: free for measurements */
#define T1_TCR REGISTER(0xE0008004)
#define T1_TC REGISTER(0xE0008008)
#define T1_PR REGISTER(0xE000800C)

/* Vectored interrupt controller */
#define VICIntSelect REGISTER(0xFFFFF00C)
#define VICIntEnable REGISTER(0xFFFFF010)
#define VICVectAddr REGISTER(0xFFFFF030)
#define VICDefVectAddr REGISTER(0xFFFFF034)
#define VICVectAddr0 REGISTER(0xFFFFF100)
#define VICVectCntl0 REGISTER(0xFFFFF200)

#endif
#endif
