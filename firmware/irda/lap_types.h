// Types between IrLAP and the layer above: stations, reasons, calls, the negotiated link, counters.
#ifndef IRDA_LAP_TYPES_H
#define IRDA_LAP_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lap_abilities.h"
#include "sir.h"

#define LAP_INFO_OCTETS 32 // of a station's discovery information (hints, character set, nickname)
#define LAP_WINDOW 7       // frames without acknowledgement, at most
#define LAP_KEPT 4         // half of the numbers: a packet kept is never one that came before
#define LAP_APART_OCTETS 384 // of a packet without a connection
#define LAP_NO_ADDRESS 0u
#define LAP_ALL 0xFFFFFFFFu // every station

struct lap_device {
    uint32_t address;
    uint8_t info[LAP_INFO_OCTETS];
    uint8_t info_octets;
};

enum lap_reason {
    LAP_DISCONNECTED,   // this or the other station asked for it
    LAP_REFUSED,        // the other station does not take the connection
    LAP_NO_RESPONSE,    // the other station was silent for the negotiated disconnect time
    LAP_NOTHING_COMMON, // no speed or other parameter that both can do
    LAP_MEDIA_BUSY,     // others use the medium
    LAP_PROTOCOL_ERROR, // the other station neither understands this one nor takes a reset
};

// Calls to the client; each may be null but `data`. `context` is their first argument.
struct lap_client {
    void *context;
    // A discovery of ours ended: the stations found. `result` is LAP_DISCONNECTED (done) or
    // LAP_MEDIA_BUSY (try later).
    void (*discovered)(void *context, const struct lap_device *devices, unsigned count,
                       enum lap_reason result);
    // Another station's discovery ended, and this is that station.
    void (*was_discovered)(void *context, const struct lap_device *device);
    // A station asks for a connection. The client calls lap_accept() or lap_disconnect(), at once
    // or within 400 ms. If this station asked
    // the same one for a connection, it takes it without this call.
    void (*connect_asked)(void *context, uint32_t address);
    // The connection is there, with what was negotiated: to be read in lap->link. As secondary: the
    // other station's first frame at the new speed arrived.
    void (*connected)(void *context);
    // There is no connection, or the one asked for did not come about.
    void (*disconnected)(void *context, enum lap_reason reason);
    // The next packet of the sequence. The octets are valid during the call.
    void (*data)(void *context, const uint8_t *octets, size_t count);
    // A packet out of sequence (UI) that may be lost.
    void (*unit_data)(void *context, const uint8_t *octets, size_t count);
    // A packet to all stations (UI without a connection).
    void (*broadcast)(void *context, const uint8_t *octets, size_t count);
    // A station answered lap_test() with these octets.
    void (*tested)(void *context, uint32_t address, const uint8_t *octets, size_t count);
    // The connection was reset: packets not yet acknowledged are lost, and numbers begin anew.
    void (*was_reset)(void *context);
    // lap_reserve() returns a buffer again after it returned none.
    void (*ready)(void *context);
    // The other station is silent for the threshold time (3 s); it is heard again.
    void (*silent)(void *context, bool is_silent);
};

// The negotiated link. Sending uses what the other station can receive, and the other way round.
struct lap_link {
    uint32_t address; // of the other station
    uint32_t speed;   // bit/s
    uint16_t send_octets;
    uint16_t receive_octets;
    uint8_t send_window;
    uint8_t receive_window;
    uint16_t extra_bofs;             // that the other station needs at this speed
    uint32_t min_turnaround_us;      // that the other station needs before it can receive
    uint32_t own_max_turnaround_us;  // longest time that this station may keep the medium
    uint32_t peer_max_turnaround_us; // longest time that the other station may keep it
    uint32_t disconnect_us;
    uint32_t threshold_us; // 0: none
    uint8_t connection;    // connection address, 1 to 0x7E
    bool primary;
};

struct lap_counters {
    uint32_t frames_sent;
    uint32_t frames_received; // for this station and sound
    uint32_t data_sent;       // I frames, with repetitions
    uint32_t data_repeated;
    uint32_t data_received;  // in sequence
    uint32_t data_discarded; // I frames out of sequence, or that came while busy
    uint32_t polls_sent;     // RR and RNR with P
    uint32_t rejects_sent;   // REJ
    uint32_t rejects_received;
    uint32_t selective_received; // SREJ
    uint32_t busy_received;      // RNR
    uint32_t final_timeouts;     // no answer to a poll
    uint32_t watchdog_timeouts;
    uint32_t connect_repeated; // SNRM sent again
    uint32_t slots_sent;       // XID commands
    uint32_t frames_rejected;  // FRMR sent or received
    uint32_t selective_sent;   // SREJ
    uint32_t data_kept;        // out of sequence, for later
    uint32_t resets;
};

struct lap_packet {
    uint16_t count;                       // of information
    uint8_t octets[2 + IRDA_DATA_OCTETS]; // address and control before the information
};

struct lap_config {
    uint32_t address; // LAP_NO_ADDRESS: drawn
    uint8_t info[LAP_INFO_OCTETS];
    uint8_t info_octets;
    struct lap_abilities abilities;
    // The caller's LAP_KEPT places for packets that come out of sequence, or null. With places the
    // station asks for a single missing packet by SREJ, and offers a window of at most LAP_KEPT
    // frames. Without, it asks by REJ for all packets from the missing one on.
    struct lap_packet *kept;
};

#endif
