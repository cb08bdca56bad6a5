/* Handlers for the VIC (ARM PL190; LPC214x user manual, UM10139) whose every cycle is known: all in
 * SRAM. */
#include "part.h"

void first(void);
void second(void);
void other(void);
void nesting(void);
void fast_handler(void);

/* Ends its interrupt and returns: LDR 3 cycles, STR to the VIC 1 + 2, SUBS into PC 3. */
#define SHORT_HANDLER(name)                                                          \
    __attribute__((naked)) void name(void) {                                         \
        __asm__("ldr r12, =0xFFFFF030\n str r12, [r12]\n subs pc, lr, #4\n .ltorg"); \
    }
SHORT_HANDLER(first)
SHORT_HANDLER(second)
SHORT_HANDLER(other)

/* Lets other interrupts in for a while, in which an instruction begins in every cycle. */
__attribute__((naked)) void nesting(void) {
    __asm__("mov r10, lr\n"
            "mrs r11, spsr\n"
            "msr cpsr_c, #0x12\n"
            "open: .global open\n"
            ".rept 100\n"
            "mov r0, r0\n"
            ".endr\n"
            "msr cpsr_c, #0x92\n"
            "msr spsr_cxsf, r11\n"
            "ldr r12, =0xFFFFF030\n"
            "str r12, [r12]\n"
            "subs pc, r10, #4\n"
            ".ltorg");
}

__attribute__((naked)) void fast_handler(void) {
    __asm__("subs pc, lr, #4");
}

/* Sources 14 and 15 have slots 0 and 1, 16 has none, 17 is FIQ. */
static void set_up(void (*of_second)(void)) {
    vectored(0, 14, first);
    vectored(1, 15, of_second);
    VICDefVectAddr = (uint32_t)other;
    VICIntSelect = 1u << 17;
    VICIntEnable = 1u << 16 | 1u << 17;
}

void wait(void) {
    set_up(second);
    spin();
}

void wait_nesting(void) {
    set_up(nesting);
    spin();
}

/* Requests source 14 by software, with an instruction beginning in every cycle behind it. */
void request(void) {
    set_up(second);
    __asm__ volatile("msr cpsr_c, #0x13\n"
                     "str %1, [%0]\n"
                     ".rept 20\n"
                     "mov r0, r0\n"
                     ".endr\n" ::"r"(0xFFFFF018),
                     "r"(1u << 14));
    spin();
}

/* Notes the raw requests, when `last` has gained one. */
static uint32_t note(unsigned n, uint32_t last) {
    uint32_t raw;
    while ((raw = VICRawIntr) == last)
        ;
    return values[n] = raw;
}

/* Makes each device that can request do so: the timers by a match, the UARTs by an empty
 * transmitter, PLL0 by its lock. Nothing is enabled in the VIC. */
void sources(void) {
    uint32_t raw = values[0] = VICRawIntr;
    unsigned n = 1;
    for (uint32_t timer = 0xE0004000; timer <= 0xE0008000; timer += 0x4000) {
        REGISTER(timer + 0x18) = 5; /* MR0 */
        REGISTER(timer + 0x14) = 1; /* MCR */
        REGISTER(timer + 0x04) = 1; /* TCR */
        raw = note(n++, raw);
    }
    for (uint32_t uart = 0xE000C000; uart <= 0xE0010000; uart += 0x4000) {
        REGISTER(uart + 0x08) = 1; /* FCR */
        REGISTER(uart + 0x04) = 2; /* IER */
        raw = note(n++, raw);
    }
    PLLCFG = 0x24;
    PLLCON = 1;
    PLLFEED = 0xAA;
    PLLFEED = 0x55;
    note(n, raw);
}
