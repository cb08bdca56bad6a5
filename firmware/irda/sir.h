// Framing of IrLAP on an asynchronous line (SIR): marks, stuffed octets and the frame check
// sequence.
//
// On the line: extra BOFs, BOF, stuffed (address, control, information, FCS low, FCS high), EOF.
#ifndef IRDA_SIR_H
#define IRDA_SIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIR_EXTRA_BOF 0xFFu
#define SIR_BOF 0xC0u
#define SIR_EOF 0xC1u
// The next octet is a mark or an escape, with SIR_ESCAPED toggled.
#define SIR_ESCAPE 0x7Du
#define SIR_ESCAPED 0x20u // toggled in an octet behind an escape
#define SIR_FCS_START 0xFFFFu
#define SIR_FCS_GOOD 0xF0B8u // the sum over a frame and its FCS

// The longest information field that is received or sent. A target with little memory may state
// less.
#ifndef IRDA_DATA_OCTETS
#define IRDA_DATA_OCTETS 2048
#endif
#define SIR_FRAME_OCTETS (IRDA_DATA_OCTETS + 2) // with address and control, without FCS

// Returns CRC-16/X.25's register after one more octet. Begin with SIR_FCS_START; send the
// complement, low octet first.
uint16_t sir_fcs(uint16_t fcs, uint8_t octet);

// One frame on its way out. All is private.
struct sir_sender {
    const uint8_t *octets; // address, control, information
    size_t count;
    size_t next;
    uint16_t extra_bofs; // still to send
    uint16_t fcs;
    uint8_t escaped; // the octet behind an escape that was sent
    uint8_t phase;
};

// Begins to send a frame of `count` octets (address, control, information), which stay the caller's
// and unchanged until sir_send() returns less than it could.
void sir_begin(struct sir_sender *sender, const uint8_t *octets, size_t count, uint16_t extra_bofs);

// Writes the next octets for the line, at most `capacity`; returns how many. Less than `capacity`:
// the frame has ended.
size_t sir_send(struct sir_sender *sender, uint8_t *line, size_t capacity);

// The receiving side of a station. All but the counters is private.
struct sir_receiver {
    uint8_t frame[SIR_FRAME_OCTETS + 2]; // with FCS
    size_t count;
    uint16_t fcs;
    uint8_t phase;
    uint32_t good_frames;
    uint32_t wrong_fcs;  // ended by EOF, but damaged or too short
    uint32_t broken_off; // ended by a new BOF, an abort or a damaged octet
    uint32_t too_long;
};

void sir_receiver_init(struct sir_receiver *receiver);

// Takes one octet from the line. Returns the length of the frame (address, control, information,
// without FCS) that it ends, else 0. The frame stands in `receiver->frame` until the next call.
size_t sir_receive(struct sir_receiver *receiver, uint8_t octet);

// The line lost or damaged an octet (framing error, overrun): drops the frame being received.
void sir_receive_damaged(struct sir_receiver *receiver);

#endif
