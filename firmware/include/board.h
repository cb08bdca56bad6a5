/* The firmware's requirements of a board; each board's folder implements them. Its registers.h adds
 * the constants BOARD_CORE_HZ, BOARD_PCLK_HZ and BOARD_WIRE_BAUD; and BOARD_TICK_HZ where the
 * kernel's port cannot tick at 10 Hz, as cases would have it. */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>
#include <stdint.h>

#include "registers.h"

/* Sets clocks, memories, interrupt controller and wire. Called once, before the kernel. */
void board_start(void);

/* Sends one byte over the wire; waits until the transmitter has space. Needs no interrupt. */
void board_send(uint8_t byte);

/* Takes a byte that the wire has received; false if there is none. Waits only where nothing else
 * could run meanwhile. */
bool board_receive(uint8_t *byte);

/* Stops the core until the next interrupt. */
void board_sleep(void);

/* Empties all buffers between memory and core, so that the code behind it begins alike each time.
 */
void board_forget_code(void);

/* Lets interrupts through, or not. For programs without a kernel. */
void board_unmask_interrupts(bool on);

/* Marks the end of the stack; whether the mark is still there. For programs without a kernel. */
void board_guard_stack(void);
bool board_stack_sound(void);

/* Called between measurements: leaves the machine to others, where it must be; true if it did. */
bool board_rest(void);

/* A source of interrupts that nothing else uses. `isr` is entered soon after each request, and ends
 * it. */
void board_attach_interrupt(void (*isr)(void));
void board_request_interrupt(void);
void board_end_interrupt(void);

#endif
