/* The vectors of the STM32F100 behind the core's own (RM0041, table 50). They lie in flash, so
 * those that the firmware uses lead to what was attached. */
#include "interrupts.h"

enum { INTERRUPTS = 61 };

void interrupt_taken(void);

static void (*attached_rtc)(void);
static void (*attached_tim2)(void);
static void (*attached_usart2)(void);

static void rtc_taken(void) {
    attached_rtc();
}

static void tim2_taken(void) {
    attached_tim2();
}

static void usart2_taken(void) {
    attached_usart2();
}

#define NONE(first, last) [first... last] = interrupt_taken
__attribute__((section(".vectors.interrupts"),
               used)) static void (*const vectors[INTERRUPTS])(void) = {
    NONE(0, INTERRUPT_RTC - 1),
    [INTERRUPT_RTC] = rtc_taken,
    NONE(INTERRUPT_RTC + 1, INTERRUPT_TIM2 - 1),
    [INTERRUPT_TIM2] = tim2_taken,
    NONE(INTERRUPT_TIM2 + 1, INTERRUPT_USART2 - 1),
    [INTERRUPT_USART2] = usart2_taken,
    NONE(INTERRUPT_USART2 + 1, INTERRUPTS - 1),
};

void attach_interrupt(unsigned number, void (*isr)(void)) {
    if (number == INTERRUPT_RTC)
        attached_rtc = isr;
    else if (number == INTERRUPT_TIM2)
        attached_tim2 = isr;
    else
        attached_usart2 = isr;
    NVIC_PRIORITY(number) = BOARD_INTERRUPT_PRIORITY;
    NVIC_ISER(number / 32) = 1u << number % 32;
}

void detach_interrupt(unsigned number) {
    NVIC_ICER(number / 32) = 1u << number % 32;
}
