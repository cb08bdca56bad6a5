// The state of one IrLAP station. Clients read `link`, `counters` and `address`; all else is
// private to lap*.c.
#ifndef IRDA_LAP_STATE_H
#define IRDA_LAP_STATE_H

#include "lap_types.h"
#include "port.h"
#include "sir.h"

enum lap_mode {
    LAP_IDLE,      // no connection, nothing under way
    LAP_SENSING,   // wants to discover or to connect, and listens whether the medium is free
    LAP_QUERYING,  // discovery: sends the slots' commands
    LAP_REPLYING,  // another station's discovery
    LAP_ASKING,    // SNRM sent
    LAP_ASKED,     // SNRM received, the client decides
    LAP_ANSWERED,  // UA sent, the primary's first frame not yet here
    LAP_CONNECTED, // information transfer
    LAP_CLOSING,   // DISC or RD sent
};

enum lap_timer {
    LAP_TIMER_MODE,       // sensing, slot, answer to SNRM or DISC, P, F or WD, by mode
    LAP_TIMER_TURNAROUND, // before sending: the time that the other station needs to hear again
    LAP_TIMERS,
};

struct lap_packet {
    uint16_t count;
    uint8_t octets[2 + IRDA_DATA_OCTETS]; // address and control before the information
};

#define LAP_SHORT_OCTETS 64 // of a frame without data: XID, SNRM, UA, FRMR, TEST

struct lap {
    const struct irda_port *port;
    const struct lap_client *client;
    struct lap_config config;
    uint32_t address;
    struct lap_link link;
    struct lap_counters counters;

    enum lap_mode mode;
    bool timer_runs[LAP_TIMERS];
    uint32_t timer_at_us[LAP_TIMERS];
    uint32_t heard_us; // when the line was last active
    uint32_t turn_us;  // when this station could last begin to send
    uint16_t queued;   // frames to send, as bits (lap_frames.h)
    bool sending;      // between start_sending and lap_sent()
    bool has_medium;   // this station may send (P or F is with it)
    bool medium_after; // of what is being sent: the last frame passes the medium on

    // Transfer. A packet's place in the window is its number modulo LAP_PLACES.
    struct lap_packet window[LAP_WINDOW + 1];
    uint8_t send_next;    // V(S)
    uint8_t send_oldest;  // not yet acknowledged
    uint8_t send_end;     // behind the last one committed
    uint8_t receive_next; // V(R)
    uint8_t reject;       // S frame to send in place of RR: control code, 0: none
    bool reserved;
    bool was_full; // `ready` is due
    bool busy;     // here: RNR
    bool peer_busy;
    bool is_silent;
    uint8_t retries;
    uint32_t idle_poll_us;
    struct lap_packet unit;
};

#endif
