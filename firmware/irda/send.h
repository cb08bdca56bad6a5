// Sends one file to another station, or receives files: over TinyTP, found by IAS as class
// "Cyclescope:Send".
//
// Units of TinyTP, each with its kind in the first octet; numbers have the high octet first:
//   1 file     size (4), name
//   2 content  octets of the file
//   3 end      CRC-32 of the content (4)
//   4 result   0: the same file arrived, 1: it differs, 2: it was refused
#ifndef IRDA_SEND_H
#define IRDA_SEND_H

#include "ias.h"
#include "ttp.h"

#define SEND_CLASS "Cyclescope:Send"
#define SEND_SELECTOR 2
#define SEND_NAME_OCTETS 64
#define SEND_STATIONS 8 // that one discovery can find and the sender tries
#ifndef SEND_UNIT_OCTETS
#define SEND_UNIT_OCTETS 2048 // of a unit, at most
#endif

enum send_result {
    SEND_DONE,       // the file is there, and its check sum is right
    SEND_DIFFERS,    // its size or check sum is wrong
    SEND_REFUSED,    // the receiver does not take it
    SEND_NO_STATION, // no station answered
    SEND_NO_SERVICE, // no station found has the class
    SEND_NO_LINK,    // the station did not take the connection
    SEND_LINK_LOST,  // the connection ended before the file did
    SEND_NO_ANSWER,  // the station's upper layers were silent for too long
};

// Calls to the surroundings, the first argument is `context`.
struct send_calls {
    void *context;
    // Sender: reads the next octets of the file, at most `capacity`; returns how many.
    size_t (*read)(void *context, uint8_t *octets, size_t capacity);
    // Receiver: a file comes; false refuses it.
    bool (*begin)(void *context, const char *name, uint32_t octets);
    // Receiver: the next octets of the file; false gives up.
    bool (*write)(void *context, const uint8_t *octets, size_t count);
    // The transfer ended. A receiver waits for the next file.
    void (*ended)(void *context, enum send_result result);
};

enum send_phase {
    SEND_IDLE,
    SEND_WAITING,    // sender: before the next discovery
    SEND_LOOKING,    // sender: discovery
    SEND_ASKING,     // sender: IAS
    SEND_CONNECTING, // sender: TinyTP
    SEND_SENDING,    // sender: file and content
    SEND_CHECKING,   // sender: end sent, no result yet
    SEND_CLOSING,    // sender: the link ends
    SEND_RECEIVING,  // receiver: a file is under way
};

struct send { // `phase` may be read; all else is private to send*.c
    struct lmp *lmp;
    struct send_calls calls;
    struct ttp ttp;
    struct ias_client asker;
    struct ias_server server;
    struct ias_attribute attributes[3];
    enum send_phase phase;
    enum send_result result; // to be reported when the link has ended
    bool timer_runs;
    uint32_t timer_at_us;
    unsigned tries;
    uint32_t stations[SEND_STATIONS];
    unsigned station, station_count;
    uint32_t size, done, crc;
    char name[SEND_NAME_OCTETS + 1];
    uint8_t out[SEND_UNIT_OCTETS];
    uint8_t in[SEND_UNIT_OCTETS];
};

#define SEND_ANSWER_US 10000000u // a station may take for an answer
#define SEND_STALL_US 60000000u  // a unit may wait for credits; link and IAS may take
#define SEND_AGAIN_US 500000u    // between two discoveries

// Prepares a station with IAS. `device_name` stays the caller's. `window` is the credits that the
// other station has at most, 1 to 127.
void send_init(struct send *send, struct lmp *lmp, const struct send_calls *calls,
               const char *device_name, uint8_t window);

// Waits for files.
void send_receive(struct send *send);

// Looks for a station, at most `tries` times, and sends it a file of `size` octets. False if a
// transfer is under way.
bool send_file(struct send *send, const char *name, uint32_t size, unsigned tries);

// Gives the sender no credits, or gives them again: the file waits at the other station.
void send_hold(struct send *send, bool holds);

// Does what is due at this time.
void send_run(struct send *send);

// The time at which send_run() has something to do; false if nothing is planned.
bool send_deadline(const struct send *send, uint32_t *at_us);

#endif
