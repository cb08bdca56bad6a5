// TinyTP: units of data over a connection of IrLMP, in segments, with credits for each segment.
//
// A station sends a segment only with a credit of the other one. So no station's buffers overflow,
// and one connection that stands still holds up no other.
#ifndef IRDA_TTP_H
#define IRDA_TTP_H

#include "lmp.h"

#define TTP_MOST_CREDITS 127

// Calls to the user, each with its context; each may be null but `data`.
struct ttp_user {
    // The other station asks for a connection: call ttp_accept() or ttp_disconnect().
    void (*asked)(void *context);
    void (*connected)(void *context);
    void (*disconnected)(void *context, enum lmp_reason reason);
    // A whole unit, valid during the call.
    void (*data)(void *context, const uint8_t *octets, size_t count);
    // The unit of ttp_send() is passed on; the next one may follow.
    void (*sent)(void *context);
};

struct ttp { // a user reads `lsap.state` and `counters`; all else is private to ttp.c
    struct lmp_lsap lsap;
    const struct ttp_user *user;
    void *context;
    uint8_t *buffer; // for a unit of several segments
    size_t capacity;
    size_t assembled;
    uint32_t peer_unit_octets; // the largest unit that the other station takes; 0: one segment
    uint8_t window;            // credits that the other station has at most
    uint8_t send_credits;
    uint8_t peer_credits; // that the other station has
    bool holds;
    bool is_flushing;
    const uint8_t *unit; // being sent
    size_t left;
    struct {
        uint32_t segments_sent;
        uint32_t segments_received;
        uint32_t credit_frames_sent;
        uint32_t times_without_credit; // a segment had to wait for one
    } counters;
};

// Prepares a connection, closed. `buffer` takes units of at most `capacity` octets, stays the
// connection's and limits what the other station may send. `window` is 1 to 127 credits.
void ttp_init(struct ttp *ttp, struct lmp *lmp, const struct ttp_user *user, void *context,
              uint8_t *buffer, size_t capacity, uint8_t window);

void ttp_listen(struct ttp *ttp, uint8_t local);

// See lmp_connect().
bool ttp_connect(struct ttp *ttp, uint32_t address, uint8_t remote);

void ttp_accept(struct ttp *ttp);

// Ends the connection, or refuses it. A unit under way is not sent to its end.
void ttp_disconnect(struct ttp *ttp);

// Sends a unit of 1 to ttp_unit_octets() octets, which stay the caller's and unchanged until
// `sent`. False if there is no connection, a unit is under way, or it has no or too many octets.
bool ttp_send(struct ttp *ttp, const uint8_t *octets, size_t count);

// Octets of the largest unit that the other station takes.
size_t ttp_unit_octets(const struct ttp *ttp);

// Octets of a segment, at most.
size_t ttp_segment_octets(const struct ttp *ttp);

// Gives no more credits, or gives them again.
void ttp_hold(struct ttp *ttp, bool holds);

#endif
