// IrLAP 1.1: discovery, one connection, and a reliable sequence of packets over a half-duplex line.
//
// The layer above is the client: it calls the functions under "for the client", and is called
// through `struct lap_client`. From within such a call it may call any function of its part.
#ifndef IRDA_LAP_H
#define IRDA_LAP_H

#include "lap_state.h"

// Prepares a station and sets the line to 9,600 bit/s. `port`, `client` and their contexts stay the
// caller's.
void lap_init(struct lap *lap, const struct irda_port *port, const struct lap_client *client,
              const struct lap_config *config);

// ---- for the client

// Looks for stations in `slots` (1, 6, 8 or 16) time slots, after the medium was quiet for 500 ms;
// reports by `discovered`. False if a connection or another discovery is there, or for another
// number of slots.
bool lap_discover(struct lap *lap, unsigned slots);

// Asks a station for a connection; this station becomes primary. Reports by `connected` or
// `disconnected`. False if a connection or discovery is there.
bool lap_connect(struct lap *lap, uint32_t address);

// Takes the connection that `connect_asked` reported; this station becomes secondary. False if none
// is asked for.
bool lap_accept(struct lap *lap);

// Resets the connection: both stations drop what is not yet acknowledged and number anew. Reports
// by `was_reset`, or by `disconnected` if the other station does not take it.
void lap_reset(struct lap *lap);

// Sends a packet of at most LAP_APART_OCTETS to all stations, without a connection; it may be lost.
// False if there is a connection, a procedure is under way, or the medium is busy.
bool lap_broadcast(struct lap *lap, const uint8_t *octets, size_t count);

// Sends octets, at most LAP_APART_OCTETS - 8, to a station without a connection, which returns them
// (TEST). LAP_ALL: every station returns them. Reports by `tested`; false as lap_broadcast().
bool lap_test(struct lap *lap, uint32_t address, const uint8_t *octets, size_t count);

// Ends the connection, or refuses the one asked for. Packets that lap_pending() counts may be lost.
// A connection's end is reported by `disconnected`.
void lap_disconnect(struct lap *lap);

// Returns a buffer for the next packet, with `*capacity` octets (what the other station can
// receive), or null: the window is full or there is no connection. The packet is sent after
// lap_commit(). Repeated calls without commit return the same buffer.
uint8_t *lap_reserve(struct lap *lap, size_t *capacity);

// Sends the buffer that lap_reserve() returned, with its first `count` octets, as soon as this
// station may send.
void lap_commit(struct lap *lap, size_t count);

// Sends a packet out of sequence to the connected station; false if it is too long or the last one
// is not yet sent. The octets are copied.
bool lap_send_unit(struct lap *lap, const uint8_t *octets, size_t count);

// Asks the other station to stop sending data (RNR), or to go on. Data that comes meanwhile is
// discarded here and repeated there.
void lap_set_busy(struct lap *lap, bool busy);

// Packets that are committed and not yet acknowledged.
unsigned lap_pending(const struct lap *lap);

// ---- for the port

// Does what is due at this time.
void lap_run(struct lap *lap);

// The time at which lap_run() has something to do; false if nothing is planned.
bool lap_deadline(const struct lap *lap, uint32_t *at_us);

// ---- for the framer, or a device that frames by itself

struct lap_frame {
    const uint8_t *octets; // address, control, information
    size_t count;
    uint16_t extra_bofs;
};

// The next frame to send now; false if there is none. Valid until the next call here or lap_sent().
bool lap_fetch_frame(struct lap *lap, struct lap_frame *frame);

// All frames fetched have left the line.
void lap_sent(struct lap *lap);

// A frame whose FCS was right: address, control, information.
void lap_receive_frame(struct lap *lap, const uint8_t *octets, size_t count);

// Somebody sends: octets were heard.
void lap_heard(struct lap *lap);

#endif
