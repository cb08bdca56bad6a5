/* The ring that an interrupt for each character fills. */
#ifndef RING_H
#define RING_H

#define RING_OCTETS 2048 /* more than the longest frame */

#ifndef __ASSEMBLER__
#include <stdint.h>
extern uint8_t ring[RING_OCTETS];
/* Where the last whole frame ended. */
extern uint8_t *volatile ring_readable;

/* Gives the entry of the interrupt for a character what it keeps in registers, if anything. */
void line_prepare_entry(void);

/* Lets the reader read up to the last character, within a frame too. For tasks, which run in system
 * mode with interrupts enabled. */
void line_note_place(void);

/* The interrupt sends octets from now, those before `end`, in place of receiving; then it requests
 * the interrupt of software. line_end_sending() goes back to receiving. While the USART requests no
 * interrupt, for tasks as above. */
void line_begin_sending(const uint8_t *octets, const uint8_t *end);
void line_end_sending(void);
#endif

#endif
