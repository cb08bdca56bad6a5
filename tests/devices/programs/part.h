/* Registers of the LPC2148 as the programs use them (NXP UM10139), and how they talk to the host.
 */
#ifndef PART_H
#define PART_H

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#define MEMMAP REGISTER(0xE01FC040)
#define PLLCON REGISTER(0xE01FC080)
#define PLLCFG REGISTER(0xE01FC084)
#define PLLSTAT REGISTER(0xE01FC088)
#define PLLFEED REGISTER(0xE01FC08C)
#define PCON REGISTER(0xE01FC0C0)
#define VPBDIV REGISTER(0xE01FC100)
#define SCS REGISTER(0xE01FC1A0)

#define T0IR REGISTER(0xE0004000)
#define T0TCR REGISTER(0xE0004004)
#define T0TC REGISTER(0xE0004008)
#define T0PR REGISTER(0xE000400C)
#define T0PC REGISTER(0xE0004010)
#define T0MCR REGISTER(0xE0004014)
#define T0MR0 REGISTER(0xE0004018)
#define T0CCR REGISTER(0xE0004028)
#define T0CR0 REGISTER(0xE000402C)
#define T0EMR REGISTER(0xE000403C)
#define T0CTCR REGISTER(0xE0004070)

#define U0RBR REGISTER(0xE000C000)
#define U0THR REGISTER(0xE000C000)
#define U0DLL REGISTER(0xE000C000)
#define U0DLM REGISTER(0xE000C004)
#define U0IER REGISTER(0xE000C004)
#define U0IIR REGISTER(0xE000C008)
#define U0FCR REGISTER(0xE000C008)
#define U0LCR REGISTER(0xE000C00C)
#define U0LSR REGISTER(0xE000C014)
#define U0FDR REGISTER(0xE000C028)

#define IO0PIN REGISTER(0xE0028000)
#define IO0SET REGISTER(0xE0028004)
#define IO0DIR REGISTER(0xE0028008)
#define IO0CLR REGISTER(0xE002800C)
#define FIO0DIR REGISTER(0x3FFFC000)
#define FIO0MASK REGISTER(0x3FFFC010)
#define FIO0PIN REGISTER(0x3FFFC014)
#define FIO0SET REGISTER(0x3FFFC018)
#define FIO0CLR REGISTER(0x3FFFC01C)

#define PINSEL0 REGISTER(0xE002C000)

#define VICRawIntr REGISTER(0xFFFFF008)
#define VICIntSelect REGISTER(0xFFFFF00C)
#define VICIntEnable REGISTER(0xFFFFF010)
#define VICVectAddr REGISTER(0xFFFFF030)
#define VICDefVectAddr REGISTER(0xFFFFF034)
#define VIC_SLOT_ENABLE (1u << 5)

/* Inputs from the host to the scenario, and results from the scenario to the host. */
extern volatile uint32_t arguments[8];
extern volatile uint32_t values[256];

/* Enables interrupts and waits for ever, three cycles an iteration. */
_Noreturn void spin(void);

/* Slot `slot` of the VIC: `source` runs `handler`. */
static inline void vectored(unsigned slot, unsigned source, void (*handler)(void)) {
    REGISTER(0xFFFFF100 + 4 * slot) = (uint32_t)handler;
    REGISTER(0xFFFFF200 + 4 * slot) = VIC_SLOT_ENABLE | source;
    VICIntEnable = 1u << source;
}

#define HANDLER __attribute__((interrupt("IRQ")))

#endif
