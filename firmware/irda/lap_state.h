// The state of one IrLAP station. Clients read `link`, `counters` and `address`; all else is
// private to lap*.c.
#ifndef IRDA_LAP_STATE_H
#define IRDA_LAP_STATE_H

#include "lap_types.h"
#include "port.h"
#include "sir.h"

enum lap_mode {
    LAP_IDLE,      // no connection, nothing under way
    LAP_SENSING,   // to discover or to connect: listens whether the medium is free
    LAP_QUERYING,  // discovery: sends the commands of the slots
    LAP_ASKING,    // SNRM sent
    LAP_ASKED,     // SNRM received, the client decides
    LAP_ANSWERED,  // UA sent, the primary's first frame not yet here
    LAP_CONNECTED, // information transfer
    LAP_RESETTING, // primary: SNRM without information; secondary: RNRM asks for it
    LAP_CLOSING,   // the client ends the connection: DISC or RD
    LAP_LEAVING,   // the last answer is being sent, then the connection is gone
};

struct lap_timer {
    uint32_t at_us;
    bool runs;
};

#define LAP_SHORT_OCTETS 64 // of a frame without data: XID, SNRM, UA, FRMR
#define LAP_DEVICES 16      // that one discovery can find
#define LAP_PLACES 8        // of packets: one for each number

// A discovery of this station's.
struct lap_discovery {
    struct lap_device devices[LAP_DEVICES];
    uint8_t found;
    uint8_t slots;
    uint8_t slot;       // the command that is sent next, or is being answered
    uint8_t rounds;     // for new addresses
    uint32_t addressed; // LAP_ALL, or the address in conflict
    uint32_t slot_begin_us;
};

// This station's part in another one's discovery.
struct lap_reply {
    uint32_t from;
    uint32_t to;       // LAP_ALL, or the address that this station had
    uint32_t until_us; // afterwards the other station has given up
    uint8_t slot;
    bool active;
    bool replied;
};

// The station that is being connected, until the link is there.
struct lap_setup {
    uint32_t address;
    uint8_t connection;
    uint8_t tries;
    bool asked; // DISC was sent
    uint32_t until_us;
    bool at_new_speed;
    bool discovers;         // LAP_SENSING is for a discovery
    enum lap_reason reason; // LAP_LEAVING: of the end
};

struct lap {
    const struct irda_port *port;
    const struct lap_client *client;
    struct lap_config config;
    uint32_t address;
    struct lap_link link;
    struct lap_counters counters;

    enum lap_mode mode;
    struct lap_timer timer; // of the mode
    struct lap_timer
        turnaround;         // before sending: the time that the other station needs to hear again
    uint32_t heard_us;      // when octets were last heard
    uint32_t free_us;       // from when on this station may send
    uint32_t busy_until_us; // of the medium, by others
    bool sending;           // from start_sending to lap_sent()
    bool short_waits;
    bool short_sent;  // nothing may follow it
    bool status_sent; // RNR or REJ, before data
    uint8_t short_octets[LAP_SHORT_OCTETS];
    uint8_t short_count;
    struct lap_packet unit; // UI or TEST
    bool unit_waits;
    struct lap_discovery discovery;
    struct lap_reply reply;
    struct lap_setup setup;

    // Information transfer.
    struct lap_packet window[LAP_PLACES];
    uint8_t send_next;    // V(S)
    uint8_t send_oldest;  // not yet acknowledged
    uint8_t send_highest; // behind the last one that was ever sent
    uint8_t send_end;     // behind the last one committed
    uint8_t receive_next; // V(R)
    uint8_t selective;    // one more than the number of the only packet to repeat (SREJ); 0: none
    bool reject;          // a packet is missing: REJ instead of RR
    bool was_full;        // `ready` is due
    bool busy;            // here: RNR instead of RR
    bool peer_busy;
    bool has_medium;   // this station may send
    bool only_poll;    // no data in what is sent next
    bool answer_due;   // data came: acknowledge without delay
    bool is_silent;    // as reported
    uint32_t valid_us; // when a frame of the other station last arrived
    uint32_t idle_poll_us;
    uint8_t kept; // bit n: packet n came out of sequence, and is at config.kept[n % LAP_KEPT]
};

#endif
