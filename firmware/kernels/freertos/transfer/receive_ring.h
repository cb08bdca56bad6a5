/* The ring that an interrupt for each character fills. */
#ifndef RECEIVE_RING_H
#define RECEIVE_RING_H

#define RING_OCTETS 2048 /* more than the longest frame */

#ifndef __ASSEMBLER__
#include <stdint.h>
extern uint8_t ring[RING_OCTETS];
/* Where the last whole frame ended. */
extern uint8_t *volatile ring_readable;
#endif

#endif
