/* The LPC2148 as the firmware uses it (UM10139): 60 MHz from a 12 MHz crystal, wire on UART0. */
#include "board.h"

#include "wire.h"

enum { PLLCON_ENABLE = 1, PLLCON_CONNECT = 2, PLLSTAT_LOCK = 1 << 10, PCON_IDLE = 1 };
enum { LCR_8N1 = 3, LCR_DIVISOR = 1 << 7, FCR_ENABLE_AND_RESET = 7 };
enum { LSR_RECEIVED = 1, LSR_ROOM = 1 << 5 };

enum { PLL_M5_P2 = 4 | 1 << 5 }; /* 60 MHz; oscillator at 240 MHz, within its 156 to 320 */

/* Baud = PCLK / (16 x divisor x (1 + add / multiply)): 60 MHz / (16 x 3 x 1.25) = 1 MHz. */
enum { WIRE_DIVISOR = 3, WIRE_FRACTION = 1 | 4 << 4 };
_Static_assert(BOARD_WIRE_BAUD == BOARD_PCLK_HZ / (16 * WIRE_DIVISOR * 5 / 4), "wire divisor");

static void feed_pll(void) {
    PLL0FEED = 0xAA;
    PLL0FEED = 0x55;
}

static void start_clock(void) {
    PLL0CFG = PLL_M5_P2;
    PLL0CON = PLLCON_ENABLE;
    feed_pll();
    while (!(PLL0STAT & PLLSTAT_LOCK))
        ;
    VPBDIV = 1;
    PLL0CON = PLLCON_ENABLE | PLLCON_CONNECT;
    feed_pll();
}

/* MAMTIM may be written only while the accelerator is off. It covers 60 MHz before the clock gets
 * there. */
static void start_accelerator(void) {
    MAMCR = 0;
    MAMTIM = MAM_FETCH_CYCLES;
    MAMCR = MAM_MODE;
}

static void start_wire(void) {
    PINSEL0 = (PINSEL0 & ~0xFu) | 0x5u; /* P0.0 is TXD0, P0.1 RXD0 */
    U0LCR = LCR_8N1 | LCR_DIVISOR;
    U0DLL = WIRE_DIVISOR;
    U0DLM = 0;
    U0FDR = WIRE_FRACTION;
    U0LCR = LCR_8N1;
    U0FCR = FCR_ENABLE_AND_RESET;
}

/* In start.S: what is entered for an interrupt that no handler is there for. */
void interrupt_taken(void);

void board_start(void) {
    start_accelerator();
    start_clock();
    MEMMAP = VECTORS_MEMMAP;
    VICDefVectAddr = (uint32_t)interrupt_taken;
    start_wire();
}

void board_send(uint8_t byte) {
    while (!(U0LSR & LSR_ROOM))
        ;
    U0THR = byte;
}

bool board_receive(uint8_t *byte) {
    if (!(U0LSR & LSR_RECEIVED))
        return false;
    *byte = (uint8_t)U0RBR;
    return true;
}

void board_sleep(void) {
    PCON = PCON_IDLE;
}

/* Called by start.S in supervisor mode, with interrupts off and a fresh stack. */
void exception_taken(enum wire_fault cause, uint32_t address);

void exception_taken(enum wire_fault cause, uint32_t address) {
    static const char *const names[] = {[FAULT_UNDEFINED] = "undefined instruction",
                                        [FAULT_PREFETCH] = "prefetch abort",
                                        [FAULT_DATA] = "data abort",
                                        [FAULT_INTERRUPT] = "interrupt without a handler"};
    wire_fault(cause, address, names[cause]);
}
