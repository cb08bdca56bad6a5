// Joins a port's octets to IrLAP's frames. A device that frames by itself replaces this: it calls
// lap_fetch_frame(), lap_sent(), lap_receive_frame() and lap_heard() as framer.c does.
#ifndef IRDA_FRAMER_H
#define IRDA_FRAMER_H

#include "sir.h"

struct lap;

struct framer {
    struct lap *lap;
    struct sir_sender sender;
    struct sir_receiver receiver;
    bool sending; // octets were fetched and their end is not yet reported: what is heard is an echo
    bool frame_under_way;
};

void framer_init(struct framer *framer, struct lap *lap);

// Octets came from the line. Drops them while the station sends.
void framer_receive(struct framer *framer, const uint8_t *octets, size_t count);

// The line reported a damaged or lost octet.
void framer_receive_damaged(struct framer *framer);

// Writes the next octets for the line, at most `capacity`; returns how many. 0: there are no more;
// the port calls framer_sent() when the last one has left the line.
size_t framer_fetch(struct framer *framer, uint8_t *octets, size_t capacity);

// The last octet fetched has left the line.
void framer_sent(struct framer *framer);

#endif
