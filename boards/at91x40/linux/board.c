/* The AT91x40 under Linux. Without an MMU a program reaches all registers by itself; the device
 * tree leaves USART0 to it. */
#include "board.h"

#include <stdlib.h>
#include <time.h>

#include "system.h"
#include "usart_wire.h"

const volatile uint32_t *board_system_ticks;

/* In the system's arguments, which its first program finds in its environment (the lab's
 * firmware/linux/posix_system.py). */
static const volatile uint32_t *find_ticks(void) {
    const char *address = getenv("SYSTEM_TICKS");
    if (address == NULL)
        wire_fault(FAULT_CHECK, 0, "the argument SYSTEM_TICKS is missing");
    return (const volatile uint32_t *)strtoul(address, NULL, 16);
}

void board_start(void) {
    start_wire();
    board_system_ticks = find_ticks();
}

/* The core sleeps, not the thread: others of its priority stay where they are. */
void board_sleep(void) {
    AT91C_BASE_PS->PS_CR = AT91C_PS_CPU;
}

/* Waits for the next tick, where a timer of any length ends. So a request is served right behind a
 * tick, and the system's own threads run while there is none. */
bool board_receive(uint8_t *byte) {
    bool received = receive_from_wire(byte);
    if (!received)
        nanosleep(&(struct timespec){.tv_nsec = SYSTEM_POLL_NS}, NULL);
    return received;
}

void board_forget_code(void) {}

bool board_rest(void) {
    return false;
}

/* The system gives the stack, and nothing guards it. */
void board_guard_stack(void) {}
bool board_stack_sound(void) {
    return true;
}
