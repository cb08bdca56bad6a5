/* The registers of a device that is declared, not real, in the place of USART 1: it knows frames
 * (studies/proposals/boards/framing_usart.py). By number: the offset divided by 4. */
#ifndef FRAMING_REGISTERS_H
#define FRAMING_REGISTERS_H

#define FRAMING_CR 0
#define FRAMING_IER 1
#define FRAMING_SR 4
#define FRAMING_BRGR 5
#define FRAMING_RPR 6  /* where the next frame goes */
#define FRAMING_RLR 7  /* length of the last one */
#define FRAMING_TPR 8  /* a frame to send */
#define FRAMING_TCR 9  /* and its length, which begins it */
#define FRAMING_XFR 10 /* extra flags before each frame sent */
#define FRAMING_RMR 11 /* a longer frame is broken */

#define FRAMING_ENABLE (1u << 0)
#define FRAMING_HALF_DUPLEX (1u << 1) /* does not hear what it sends itself */

#define FRAMING_WHOLE (1u << 0)  /* until the length is read */
#define FRAMING_BROKEN (1u << 1) /* these, until the status is read */
#define FRAMING_SENT (1u << 2)
#define FRAMING_HEARD (1u << 3)

#endif
