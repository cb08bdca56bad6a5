/* The LPC2148 as the firmware uses it (UM10139): 12 to 60 MHz from a 12 MHz crystal, wire on UART0.
 */
#include "board.h"

#include "wire.h"

enum { PLLCON_ENABLE = 1, PLLCON_CONNECT = 2, PLLSTAT_LOCK = 1 << 10, PCON_IDLE = 1 };
enum { LCR_8N1 = 3, LCR_DIVISOR = 1 << 7, FCR_ENABLE_AND_RESET = 7 };
enum { LSR_RECEIVED = 1, LSR_ROOM = 1 << 5 };

/* The divisor of the wire is 3, the least that UM10139 allows beside a fraction. */
enum { WIRE_DIVISOR = 3, WIRE_FRACTION = WIRE_ADD | WIRE_MULTIPLY << 4 };
_Static_assert(BOARD_PCLK_HZ % BOARD_WIRE_BAUD == 0, "the rate of the wire is exact");

enum { PLL_MULTIPLIER = BOARD_CORE_HZ / BOARD_CRYSTAL_HZ };
enum { PSEL = PLL_P == 8 ? 3 : PLL_P / 2 };
_Static_assert(2 * PLL_P * CLOCK_MHZ >= 156 && 2 * PLL_P * CLOCK_MHZ <= 320, "PLL0's oscillator");

/* VPBDIV: 0 divides by 4, 1 by 1, 2 by 2. */
enum { VPBDIV_VALUE = VPB_DIVIDER % 4 };

static void feed_pll(void) {
    PLL0FEED = 0xAA;
    PLL0FEED = 0x55;
}

static void start_clock(void) {
    PLL0CFG = (PLL_MULTIPLIER - 1) | PSEL << 5;
    PLL0CON = PLLCON_ENABLE;
    feed_pll();
    while (!(PLL0STAT & PLLSTAT_LOCK))
        ;
    VPBDIV = VPBDIV_VALUE;
    PLL0CON = PLLCON_ENABLE | PLLCON_CONNECT;
    feed_pll();
}

/* MAMTIM may be written only while the accelerator is off. It covers the clock before that gets
 * there. */
static void start_accelerator(void) {
    MAMCR = 0;
    MAMTIM = MAM_FETCH_CYCLES;
    MAMCR = MAM_MODE;
}

/* Any change of MAMCR empties the buffers. */
void board_forget_code(void) {
    MAMCR = 0;
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

#include "stack_guard.h"

bool board_rest(void) {
    return false;
}

/* Source 1 of the VIC has no device: it is there for software. Slot 0 is the tick's. */
enum { SPARE_SOURCE = 1, VECTCNTL_ENABLE = 1 << 5 };

void board_attach_interrupt(void (*isr)(void)) {
    VICVectAddr1 = (uint32_t)isr;
    VICVectCntl1 = SPARE_SOURCE | VECTCNTL_ENABLE;
    VICIntEnable = 1 << SPARE_SOURCE;
}

void board_request_interrupt(void) {
    VICSoftInt = 1 << SPARE_SOURCE;
}

void board_end_interrupt(void) {
    VICSoftIntClear = 1 << SPARE_SOURCE;
    VICVectAddr = 0;
}

#include "exceptions.h"
