/* Stores, loads and calls, and a tick every few hundred cycles: for a debugger. */
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK_CSR REGISTER(0xE000E010)
#define SYSTICK_RVR REGISTER(0xE000E014)
#define SYSTICK_CVR REGISTER(0xE000E018)

extern uint32_t stack_top[];
volatile uint32_t ticks, rounds, sum;
volatile uint8_t bytes[8];

void systick(void);
void leaf(uint32_t value);
void start(void);

void systick(void) {
    ticks++;
}

__attribute__((noinline)) void leaf(uint32_t value) {
    sum = value * 3 + bytes[1];
}

void start(void) {
    SYSTICK_RVR = 299;
    SYSTICK_CVR = 0;
    SYSTICK_CSR = 7;
    for (;;) {
        rounds++;
        leaf(rounds);
    }
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, (void *)start, [15] = (void *)systick};
