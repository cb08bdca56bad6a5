// Functions that the files of IrLAP have of each other.
#ifndef IRDA_LAP_INTERNAL_H
#define IRDA_LAP_INTERNAL_H

#include "lap.h"

#define LAP_CONTENTION_SPEED 9600u
#define LAP_CONTENTION_BOFS 10u // extra ones, without a connection
#define LAP_CONTENTION_TURNAROUND_US 10000u
#define LAP_MEDIA_SENSE_US 500000u

#define LAP_BROADCAST 0xFEu // address octet of all stations, without the command bit
#define LAP_COMMAND 0x01u   // in the address octet
#define LAP_PF 0x10u        // in the control octet: poll (command) or final (response)

// Control octets without P/F. DISC and RD, SNRM and RNRM differ by the command bit alone.
#define LAP_RR 0x01u
#define LAP_RNR 0x05u
#define LAP_REJ 0x09u
#define LAP_SREJ 0x0Du
#define LAP_UI 0x03u
#define LAP_DM 0x0Fu
#define LAP_XID_COMMAND 0x2Fu
#define LAP_DISC 0x43u // as response: RD
#define LAP_UA 0x63u
#define LAP_SNRM 0x83u // as response: RNRM
#define LAP_FRMR 0x87u
#define LAP_XID_RESPONSE 0xAFu
#define LAP_TEST 0xE3u

// lap_frames.c: numbers, and short frames
uint32_t lap_get32(const uint8_t *octets);
uint8_t *lap_put32(uint8_t *octets, uint32_t value);
// Begins the short frame; returns where its information is written.
uint8_t *lap_short_begin(struct lap *lap, uint8_t address, uint8_t control);
// Ends the short frame where its information ends, and plans to send it.
void lap_short_end(struct lap *lap, const uint8_t *end);
// Address octet of a frame of the connection: with the command bit if this station is primary.
uint8_t lap_connection_address(const struct lap *lap);

// lap.c: time and mode
// Draws another address for this station.
void lap_rename(struct lap *lap);
uint32_t lap_now(const struct lap *lap);
void lap_enter(struct lap *lap, enum lap_mode mode);
void lap_timer_start(struct lap *lap, uint32_t after_us);
// Has the port begin to send as soon as the other station can hear again.
void lap_begin(struct lap *lap);
// Back to 9,600 bit/s without a connection. Reports `disconnected` to the client if `reports`.
void lap_end(struct lap *lap, enum lap_reason reason, bool reports);

// lap_discovery.c
void lap_discovery_expired(struct lap *lap);
void lap_discovery_sent(struct lap *lap);
void lap_discovery_receive(struct lap *lap, bool command, const uint8_t *info, size_t count);

// lap_connect.c
void lap_connect_expired(struct lap *lap);
void lap_connect_sent(struct lap *lap);
void lap_connect_asked(struct lap *lap, const uint8_t *info, size_t count);
void lap_connect_answered(struct lap *lap, uint8_t address, uint8_t control, const uint8_t *info,
                          size_t count);
// The primary's first frame came.
void lap_connect_confirmed(struct lap *lap);

// Packets have numbers modulo 8.
#define LAP_NUMBERS 7u

static inline unsigned lap_distance(unsigned from, unsigned to) {
    return (to - from) & LAP_NUMBERS;
}

static inline uint8_t lap_after(unsigned number) {
    return (uint8_t)((number + 1) & LAP_NUMBERS);
}

#define LAP_TRIES 3u         // that follow the first DISC or SNRM without an answer
#define LAP_WATCH_US 500000u // how often the secondary looks whether the primary is silent
// Without data in either direction; each later poll waits twice as long.
#define LAP_FIRST_POLL_US 10000u
void lap_transfer_sent(struct lap *lap);
bool lap_transfer_fetch(struct lap *lap, struct lap_frame *frame);
// Sends what there is, if this station has the medium; primary with nothing to send: plans the next
// poll.
void lap_transfer_go(struct lap *lap);

// lap_transfer.c
// Both stations' numbers begin anew; whatever waits to be sent or passed on is dropped.
void lap_transfer_clear(struct lap *lap);
void lap_transfer_start(struct lap *lap);
void lap_transfer_expired(struct lap *lap);
// The other station handed the medium over.
void lap_transfer_polled(struct lap *lap);
void lap_transfer_receive(struct lap *lap, uint8_t control, const uint8_t *info, size_t count);

// Reasons of FRMR, as its third octet has them.
#define LAP_UNKNOWN_CONTROL 0x01u
#define LAP_TOO_LONG 0x04u
#define LAP_WRONG_NUMBER 0x08u
// Answers a frame that IrLAP does not allow: secondary: FRMR; primary: ends the connection.
void lap_link_reject(struct lap *lap, uint8_t control, uint8_t why);

// Begins to end the connection.
void lap_link_close(struct lap *lap, enum lap_reason reason);

// Something sound came from the other station.
void lap_transfer_alive(struct lap *lap);

// In a connection, or while it is reset or ends.
static inline bool lap_is_linked(const struct lap *lap) {
    return lap->mode >= LAP_CONNECTED && lap->mode <= LAP_CLOSING;
}

// lap_apart.c: TEST and UI without a connection
// UI waits, or TEST: the only frame that is sent without a connection and not by a procedure.
bool lap_apart_fetch(struct lap *lap, struct lap_frame *frame);
// TEST and UI to all stations.
void lap_apart_receive(struct lap *lap, bool command, uint8_t control, const uint8_t *info,
                       size_t count);

// lap_link.c: unnumbered frames of a connection
void lap_link_receive(struct lap *lap, uint8_t control, const uint8_t *info, size_t count);

// lap_parameters.c
// Writes the negotiation parameters; returns their end.
uint8_t *lap_parameters_write(const struct lap_abilities *abilities, uint8_t *octets);
// Reads those of a frame; false if they are cut off.
bool lap_parameters_read(struct lap_abilities *abilities, const uint8_t *octets, size_t count);
// Works out the link from what both offer; false if they have nothing in common.
bool lap_parameters_agree(struct lap_link *link, const struct lap_abilities *own,
                          const struct lap_abilities *peer);

#endif
