/* The STM32F100 as the firmware uses it (RM0041): 8 or 24 MHz from a crystal of 8 MHz, as on the
 * STM32VLDISCOVERY. The wire is on USART1, PA9 and PA10. */
#include "board.h"

#include "interrupts.h"
#include "wire.h"

enum { CR_HSEON = 1 << 16, CR_HSERDY = 1 << 17, CR_PLLON = 1 << 24, CR_PLLRDY = 1 << 25 };
enum { CFGR_HSE = 1, CFGR_PLL = 2, CFGR_CLOCK = 3, CFGR_PLL_FROM_HSE = 1 << 16, CFGR_TIMES = 18 };
enum { APB2_AFIO = 1 << 0, APB2_PORT_A = 1 << 2, APB2_USART1 = 1 << 14 };
enum { APB1_TIM2 = 1 << 0, APB1_USART2 = 1 << 17 };
enum { SR_RECEIVED = 1 << 5, SR_ROOM = 1 << 7 };
enum { CR1_RECEIVER = 1 << 2, CR1_TRANSMITTER = 1 << 3, CR1_ON = 1 << 13 };
/* PA8 an output, PA9 of USART1, PA10 an input. */
enum { PORT_A_HIGH = 0x444444B1 };

enum { PLL_FACTOR = BOARD_CORE_HZ / BOARD_CRYSTAL_HZ };
_Static_assert(BOARD_CORE_HZ % WIRE_DIVISOR == 0, "the rate of the wire is exact");

/* Waits for a clock; the part goes on without one that does not start, as its own start-up code
 * does.
 */
enum { PATIENCE = 20000 };

static bool is_ready(volatile uint32_t *status, uint32_t mask, uint32_t value) {
    for (int left = PATIENCE; left > 0; left--)
        if ((*status & mask) == value)
            return true;
    return false;
}

static void start_clock(void) {
    RCC_CR |= CR_HSEON;
    if (!is_ready(&RCC_CR, CR_HSERDY, CR_HSERDY))
        return;
    uint32_t clock = CFGR_HSE;
    if (PLL_FACTOR > 1) {
        RCC_CFGR = CFGR_PLL_FROM_HSE | (PLL_FACTOR - 2u) << CFGR_TIMES;
        RCC_CR |= CR_PLLON;
        if (!is_ready(&RCC_CR, CR_PLLRDY, CR_PLLRDY))
            return;
        clock = CFGR_PLL;
    }
    RCC_CFGR |= clock;
    is_ready(&RCC_CFGR, CFGR_CLOCK << 2, clock << 2);
}

/* The value line has no wait states; the lab's board has those of its siblings. */
#ifdef FLASH_WAITS
static void start_flash(void) {
    FLASH_ACR = (FLASH_ACR & ~7u) | FLASH_WAITS;
}
#else
static void start_flash(void) {}
#endif

/* There are no buffers that code could be in. */
/* Of the pipeline. */
void board_forget_code(void) {
    __asm volatile("isb" : : : "memory");
}

static void start_wire(void) {
    GPIOA_CRH = PORT_A_HIGH;
    USART1_BRR = WIRE_DIVISOR;
    USART1_CR1 = CR1_ON | CR1_TRANSMITTER | CR1_RECEIVER;
}

void board_start(void) {
    start_flash();
    start_clock();
    RCC_APB2ENR |= APB2_AFIO | APB2_PORT_A | APB2_USART1;
    RCC_APB1ENR |= APB1_TIM2 | APB1_USART2;
    start_wire();
}

void board_send(uint8_t byte) {
    while (!(USART1_SR & SR_ROOM))
        ;
    USART1_DR = byte;
}

bool board_receive(uint8_t *byte) {
    if (!(USART1_SR & SR_RECEIVED))
        return false;
    *byte = (uint8_t)USART1_DR;
    return true;
}

void board_sleep(void) {
    __asm volatile("wfi");
}

#include "stack_guard.h"

bool board_rest(void) {
    return false;
}

/* The interrupt of the real-time clock, which nothing else uses, is pended by software. The core
 * ends it. */
void board_attach_interrupt(void (*isr)(void)) {
    attach_interrupt(INTERRUPT_RTC, isr);
}

void board_request_interrupt(void) {
    NVIC_ISPR(INTERRUPT_RTC / 32) = 1u << INTERRUPT_RTC % 32;
    __asm volatile("dsb\n isb" : : : "memory");
}

void board_end_interrupt(void) {}

#include "exceptions.h"
