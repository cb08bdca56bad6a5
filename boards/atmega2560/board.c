/* The ATmega2560 as the firmware uses it (data sheet 2549): 1 to 16 MHz from a crystal of 16 MHz.
 * The wire is on USART0. avr-libc's start-up has set up stack and data. */
#include "board.h"

#include <avr/interrupt.h>
#include <avr/sleep.h>

#include "wire.h"

/* CLKPR divides by 2^CLKPS. */
enum { DIVIDER = BOARD_CRYSTAL_HZ / BOARD_CORE_HZ };
enum { CLKPS = DIVIDER == 1 ? 0 : DIVIDER == 2 ? 1 : DIVIDER == 4 ? 2 : DIVIDER == 8 ? 3 : 4 };
_Static_assert(1 << CLKPS == DIVIDER, "the clock is the crystal's, divided by a power of two");

/* The second write must follow within four cycles. */
static void start_clock(void) {
    __asm volatile("sts %0, %1\n\tsts %0, %2"
                   :
                   : "n"(_SFR_MEM_ADDR(CLKPR)), "r"((uint8_t)_BV(CLKPCE)), "r"((uint8_t)CLKPS));
}

void board_start(void) {
    start_clock();
    UBRR0 = WIRE_UBRR;
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00); /* 8N1 */
    UCSR0B = _BV(RXEN0) | _BV(TXEN0);
}

void board_send(uint8_t byte) {
    while (!(UCSR0A & _BV(UDRE0)))
        ;
    UDR0 = byte;
}

bool board_receive(uint8_t *byte) {
    if (!(UCSR0A & _BV(RXC0)))
        return false;
    *byte = UDR0;
    return true;
}

void board_sleep(void) {
    sleep_mode();
}

/* There are no buffers. */
void board_forget_code(void) {}

/* One stack for everything: its guard lies below it, behind the data. */
#define STACK_GUARD 0xA5
enum { GUARD_BYTES = 32 };
extern uint8_t data_end[];

void board_guard_stack(void) {
    for (uint8_t *byte = data_end; byte < data_end + GUARD_BYTES; byte++)
        *byte = STACK_GUARD;
}

bool board_stack_sound(void) {
    for (const uint8_t *byte = data_end; byte < data_end + GUARD_BYTES; byte++)
        if (*byte != STACK_GUARD)
            return false;
    return true;
}

void board_unmask_interrupts(bool on) {
    if (on)
        sei();
    else
        cli();
}

bool board_rest(void) {
    return false;
}

/* The EEPROM asks for its interrupt for as long as it is ready: enabling it is a request. */
static void (*attached)(void);

ISR(EE_READY_vect) {
    attached();
}

void board_attach_interrupt(void (*isr)(void)) {
    attached = isr;
}

void board_request_interrupt(void) {
    EECR |= _BV(EERIE);
}

void board_end_interrupt(void) {
    EECR &= (uint8_t)~_BV(EERIE);
}

ISR(BADISR_vect) {
    wire_fault(FAULT_INTERRUPT, 0, "interrupt without a handler");
}
