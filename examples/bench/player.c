// Two boards throw a number to each other over a serial line, one higher each time, up to 200.
// -DAT91 is for the AT91x40, else it is for the LPC2148. -DSERVES is for the board that begins.
// docs/how-to/bench.md builds and runs it.
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))

#ifdef AT91
#define USART0(offset) REGISTER(0xFFFD0000 + (offset))

static void open_line(void) {
    USART0(0x04) = 0x8C0; // 8 data bits, no parity, one stop bit
    USART0(0x20) = 18;    // 32.768 MHz / 16 / 18 = 113,778 bit/s
    USART0(0x00) = 0x50;  // receiver and transmitter on
}

static int has_come(void) {
    return USART0(0x14) & 1;
}

static uint32_t take(void) {
    return USART0(0x18);
}

static void send(uint32_t value) {
    while (!(USART0(0x14) & 2))
        ;
    USART0(0x1C) = value;
}
#else
#define UART0(offset) REGISTER(0xE000C000 + (offset))

static void open_line(void) {
    REGISTER(0xE01FC100) = 1; // peripherals at the core's clock
    REGISTER(0xE002C000) = 5; // the pins are TXD0 and RXD0
    UART0(0x0C) = 0x83;
    UART0(0x00) = 4;
    UART0(0x28) = 0x85; // 12 MHz / 16 / 4 / (1 + 5 / 8) = 115,385 bit/s
    UART0(0x0C) = 3;    // 8 data bits, no parity, one stop bit
    UART0(0x08) = 7;
}

static int has_come(void) {
    return UART0(0x14) & 1;
}

static uint32_t take(void) {
    return UART0(0x00);
}

static void send(uint32_t value) {
    while (!(UART0(0x14) & 0x20))
        ;
    UART0(0x00) = value;
}
#endif

__attribute__((noinline)) void game_over(void) {
    for (;;)
        ;
}

void play(void) {
    uint32_t value = 0;

    open_line();
#ifdef SERVES
    for (volatile int wait = 0; wait < 1000; wait++) // the other one opens its line first
        ;
    send(1);
#endif
    while (value < 200) {
        while (!has_come())
            ;
        value = take();
        send(value + 1);
    }
    game_over();
}

__attribute__((naked, section(".text.start"))) void _start(void) {
    __asm__("ldr sp, =stack_top\n\tb play");
}
