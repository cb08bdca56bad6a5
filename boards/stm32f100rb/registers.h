/* Registers of the STM32F100 that the firmware uses (RM0041), and the clocks that board.c sets. */
#ifndef REGISTERS_H
#define REGISTERS_H

#define BOARD_CRYSTAL_HZ 8000000
#define BOARD_CORE_HZ (CLOCK_MHZ * 1000000)
/* The port's timer and the peripherals run at the core's clock. */
#define BOARD_PCLK_HZ BOARD_CORE_HZ
#define BOARD_WIRE_BAUD (BOARD_CORE_HZ / WIRE_DIVISOR)

/* For the port of FreeRTOS: the part has 4 bits of a priority; critical sections leave 0 to 4
 * alone. */
#define configPRIO_BITS 4
#define configKERNEL_INTERRUPT_PRIORITY 0xF0
#define configMAX_SYSCALL_INTERRUPT_PRIORITY 0x50
#define BOARD_INTERRUPT_PRIORITY 0xC0

#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

/* Reset and clock control */
#define RCC_CR REGISTER(0x40021000)
#define RCC_CFGR REGISTER(0x40021004)
#define RCC_APB2ENR REGISTER(0x40021018)
#define RCC_APB1ENR REGISTER(0x4002101C)
#define FLASH_ACR REGISTER(0x40022000)

/* Port A; GPIO_BSRR and GPIO_BRR are offsets in bytes. */
#define GPIOA (&REGISTER(0x40010800))
#define GPIOA_CRL REGISTER(0x40010800)
#define GPIOA_CRH REGISTER(0x40010804)
#define GPIO_BSRR 0x10
#define GPIO_BRR 0x14
#define GPIOA_BRR REGISTER(0x40010800 + GPIO_BRR)

/* USART1, the wire, and USART2 */
#define USART1_SR REGISTER(0x40013800)
#define USART1_DR REGISTER(0x40013804)
#define USART1_BRR REGISTER(0x40013808)
#define USART1_CR1 REGISTER(0x4001380C)
#define USART2_SR REGISTER(0x40004400)
#define USART2_DR REGISTER(0x40004404)
#define USART2_BRR REGISTER(0x40004408)
#define USART2_CR1 REGISTER(0x4000440C)
/* The guard time of smartcards, which nothing has. */
#define BOARD_SCRATCH REGISTER(0x40004418)

/* TIM2 */
#define TIM2_CR1 REGISTER(0x40000000)
#define TIM2_DIER REGISTER(0x4000000C)
#define TIM2_SR REGISTER(0x40000010)
#define TIM2_CCMR1 REGISTER(0x40000018)
#define TIM2_CCER REGISTER(0x40000020)
#define TIM2_CNT REGISTER(0x40000024)
#define TIM2_CCR1 REGISTER(0x40000034)
#define TIM2_CCR2 REGISTER(0x40000038)

/* Of alarm and line, which share TIM2's counter. */
#define BOARD_LINE_COUNT (&TIM2_CNT)
#define BOARD_LINE_HZ BOARD_CORE_HZ
#define BOARD_ALARM_COUNT BOARD_LINE_COUNT
#define BOARD_COUNT_BITS 16
/* SysTick counts down to the kernel's tick. */
#define BOARD_COUNTS_TO_TICK REGISTER(0xE000E018)

/* The core's own (ARM DDI 0403): interrupts, and the cycle counter. */
#define NVIC_ISER(word) REGISTER(0xE000E100 + 4 * (word))
#define NVIC_ICER(word) REGISTER(0xE000E180 + 4 * (word))
#define NVIC_ISPR(word) REGISTER(0xE000E200 + 4 * (word))
#define NVIC_PRIORITY(number) (*(volatile uint8_t *)(0xE000E400 + (number)))
#define DEMCR REGISTER(0xE000EDFC)
#define DEMCR_TRCENA (1u << 24)
#define DWT_CTRL REGISTER(0xE0001000)
#define DWT_CTRL_CYCCNTENA 1u
#define DWT_CYCCNT (&REGISTER(0xE0001004))

enum { INTERRUPT_RTC = 3, INTERRUPT_TIM2 = 28, INTERRUPT_USART2 = 38 };

#endif
