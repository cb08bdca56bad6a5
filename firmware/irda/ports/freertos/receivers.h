/* RECEIVE: the one that takes octets from the line; SEND: the one that gives it octets. */
#ifndef IRDA_RECEIVERS_H
#define IRDA_RECEIVERS_H

#define RECEIVE_PDC 0   /* the PDC, with an interrupt for each buffer or silence */
#define RECEIVE_BYTE 1  /* an interrupt for each octet */
#define RECEIVE_POLL 2  /* the task, which looks for each octet all the time */
#define RECEIVE_FRAME 3 /* a device that knows frames, with an interrupt for each frame */

#define SEND_PDC 0
#define SEND_BYTE 1 /* an interrupt for each octet; the receiver is off meanwhile */

#endif
