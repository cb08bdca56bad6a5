/* SysTick counts, and USART1 says how far it is: the same on any model of the part that has both.
 * It asks no clock whether it is ready. */
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYSTICK_CSR REGISTER(0xE000E010)
#define SYSTICK_RVR REGISTER(0xE000E014)
#define SYSTICK_CVR REGISTER(0xE000E018)
#define SHPR3 REGISTER(0xE000ED20)
#define APB2ENR REGISTER(0x40021018)
#define PORT_A_HIGH REGISTER(0x40010804)
#define USART1_SR REGISTER(0x40013800)
#define USART1_DR REGISTER(0x40013804)
#define USART1_BRR REGISTER(0x40013808)
#define USART1_CR1 REGISTER(0x4001380C)

extern uint32_t stack_top[];
static volatile uint32_t ticks;

void systick(void);
void call(void);
void start(void);

void systick(void) {
    ticks++;
}

static void put(char letter) {
    while (!(USART1_SR & 1u << 7))
        ;
    USART1_DR = (uint8_t)letter;
}

static void say(const char *text) {
    while (*text)
        put(*text++);
}

static void number(uint32_t value) {
    if (value > 9)
        number(value / 10);
    put((char)('0' + value % 10));
}

static volatile uint32_t called;

/* SVC: its number lies in front of the stacked return address. */
__attribute__((naked)) void call(void) {
    __asm volatile("mov r0, sp\n ldr r1, [r0, #24]\n ldrb r1, [r1, #-2]\n ldr r0, =called\n str "
                   "r1, [r0]\n bx lr");
}

void start(void) {
    APB2ENR |= 1u << 0 | 1u << 2 | 1u << 14;
    PORT_A_HIGH = 0x444444B4;
    USART1_BRR = 16;
    USART1_CR1 = 1u << 13 | 1u << 3;
    SHPR3 = 0xF0u << 24;
    SYSTICK_RVR = 7999;
    SYSTICK_CVR = 0;
    SYSTICK_CSR = 7;
    say("core ");
    number(REGISTER(0xE000ED00) >> 4 & 0xFFF);
    __asm volatile("svc 42");
    say(" call ");
    number(called);
    for (uint32_t seen = 0; seen < 5; seen++) {
        while (ticks == seen)
            __asm volatile("wfi");
        say(" tick ");
        number(seen + 1);
        put(' ');
        number((seen + 1) * 1000003u / 7u);
    }
    SYSTICK_CSR = 0;
    say("\n");
    for (;;)
        __asm volatile("b done\n .global done\n done: wfi");
}

__attribute__((section(".vectors"), used)) static void *const vectors[] = {
    stack_top, start, 0, 0, 0, 0, 0, 0, 0, 0, 0, call, 0, 0, 0, systick,
};
