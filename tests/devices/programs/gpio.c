/* Pins of port 0, by the legacy and the fast registers (LPC214x user manual, UM10139). */
#include "part.h"

#define PIN (1u << 4)
#define BYTE(address) (*(volatile uint8_t *)(address))
#define HALF(address) (*(volatile uint16_t *)(address))
#define FIO0PIN_ADDRESS 0x3FFFC014

/* Sets and clears a pin four times, a store behind another. */
static inline void toggle(uint32_t set, uint32_t clear) {
    __asm__ volatile(".rept 4\n"
                     "str %0, [%1]\n"
                     "str %0, [%2]\n"
                     ".endr\n" ::"r"(PIN),
                     "r"(set), "r"(clear));
}

/* arguments: VPBDIV. */
void toggle_legacy(void) {
    VPBDIV = arguments[0];
    IO0DIR = PIN;
    toggle(0xE0028004, 0xE002800C);
}

void toggle_fast(void) {
    VPBDIV = arguments[0];
    SCS = 1;
    FIO0DIR = PIN;
    toggle(0x3FFFC018, 0x3FFFC01C);
}

/* Reads the pins until P0.5 is high. */
void watch_legacy(void) {
    while (!(IO0PIN & 1 << 5))
        ;
}

void watch_fast(void) {
    SCS = 1;
    while (!(FIO0PIN & 1 << 5))
        ;
}

/* All of P0.7 to P0.0 driven to 0xA5 through a mask that protects P0.3 to P0.0. */
void mask(void) {
    SCS = 1;
    FIO0DIR = 0xFF;
    FIO0PIN = 0x33;
    FIO0MASK = 0x0F;
    FIO0PIN = 0xA5;
    values[0] = FIO0PIN;
    FIO0SET = 0x0F;
    FIO0CLR = 0x22;
    FIO0MASK = 0;
    values[1] = FIO0PIN;
}

void views(void) {
    SCS = 1;
    FIO0DIR = 0xFFFFFF;
    FIO0PIN = 0x112233;
    BYTE(FIO0PIN_ADDRESS + 1) = 0xAA;
    values[0] = FIO0PIN;
    HALF(FIO0PIN_ADDRESS) = 0xBBCC;
    values[1] = FIO0PIN;
    values[2] = BYTE(FIO0PIN_ADDRESS + 2);
    values[3] = HALF(FIO0PIN_ADDRESS);
}

/* P0.4 is an output, P0.5 an input that the host holds high. */
void directions(void) {
    IO0DIR = PIN;
    IO0SET = PIN | 1 << 5;
    values[0] = IO0PIN & 0x30;
    IO0CLR = PIN;
    values[1] = IO0PIN & 0x30;
    values[2] = IO0SET & 0x30;
}

/* The registers of the window that SCS has not selected. */
void other_window(void) {
    IO0DIR = PIN;
    IO0SET = PIN;
    SCS = 1;
    IO0CLR = PIN;
    values[0] = IO0PIN;
    values[1] = FIO0PIN & PIN;
}
