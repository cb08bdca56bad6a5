// A half-duplex infrared medium for stations of one process: discrete events, the same for the same
// seed.
//
// An octet takes ten bits at its sender's speed: start, eight data, stop. A zero is a pulse, so a
// receiver sees the zeros of all octets at one time. The first one to begin arrives damaged, the
// other ones not at all. A station hears nothing of others while it sends. At another speed than
// the sender's, octets arrive as damaged.
#ifndef IRDA_MEDIUM_H
#define IRDA_MEDIUM_H

#include <stdbool.h>
#include <stdio.h>

#include "port.h"

#define MEDIUM_STATIONS 8
#define MEDIUM_LOSSES 8
#define MEDIUM_FLIGHT 4096 // octets on the way to one station, or waiting there to be taken

struct medium_config {
    uint64_t seed;
    uint32_t errors_per_1e9_bits; // at each receiver
    uint32_t latency_us;
    bool echo;              // a station hears what it sends
    uint32_t chunk_octets;  // a station takes octets when so many are there, or after a pause; 0 or
                            // 1: each at once
    uint32_t chunk_wait_us; // the pause
    FILE *log; // null, or: one line per octet: begin (us), station, value, damaged (1) or not (0)
};

// A station as the medium drives it; see port.h.
struct medium_driver {
    void *context;
    void (*receive)(void *context, const uint8_t *octets, size_t count);
    void (*receive_damaged)(void *context);
    size_t (*fetch)(void *context, uint8_t *octets, size_t capacity);
    void (*sent)(void *context);
    void (*run)(void *context);
    bool (*deadline)(void *context, uint32_t *at_us);
};

struct medium_octet {
    uint64_t begin_ns;
    uint64_t end_ns;
    uint16_t bits; // on the air: start bit (0) in bit 0, data, stop bit (1) in bit 9
    uint8_t value; // as sent
    bool merged;   // began while another one was on the air
};

struct medium_arrival {
    uint64_t at_ns;
    uint8_t value;
    bool damaged; // no stop bit, or another speed
};

struct medium_station {
    struct medium *medium;
    struct irda_port port;
    struct medium_driver driver;
    uint32_t speed;
    uint64_t random;
    uint64_t noise;
    // sending
    bool wants_to_send;
    bool sends;
    uint64_t burst_begin_ns;
    uint64_t burst_octets;
    struct medium_octet octet;
    unsigned field; // of the frame being sent: octets since BOF
    bool escapes;
    bool loses; // the rest of this frame
    // receiving
    struct medium_arrival flight[MEDIUM_FLIGHT];
    uint32_t flight_first;
    uint32_t flight_count;
    uint64_t heard_from_ns; // while it sent before this, it heard nothing
};

// Frames of a station that are lost: those whose control octet fits, without the first `skip`,
// `count` of them.
struct medium_loss {
    unsigned station;
    uint8_t mask;
    uint8_t value;
    unsigned skip;
    unsigned count;
};

struct medium {
    struct medium_config config;
    struct medium_station stations[MEDIUM_STATIONS];
    unsigned count;
    struct medium_loss losses[MEDIUM_LOSSES];
    unsigned loss_count;
    uint64_t now_ns;
};

void medium_init(struct medium *medium, const struct medium_config *config);

// Adds a station; returns its port, for lap_init(). Stations have numbers from 0. Null if there are
// too many.
const struct irda_port *medium_add(struct medium *medium, const struct medium_driver *driver);

// Loses frames; false if too many such rules are there.
bool medium_lose(struct medium *medium, const struct medium_loss *loss);

// Follows the frames of a station, of which this octet is sent next. True if the octet is to be
// damaged.
bool medium_loses(struct medium *medium, unsigned station, uint8_t value);

// Runs until this time, or until nothing is planned.
void medium_run(struct medium *medium, uint64_t until_us);

uint64_t medium_now_us(const struct medium *medium);

#endif
