// Negotiation of a connection: what each station needs or can do, and what follows for both.
#include <string.h>

#include "lap_internal.h"

// Parameter identifiers. Bit 7: each station states its own; otherwise both use the same value.
enum identifier {
    SPEED = 0x01,
    DISCONNECT = 0x08,
    MAX_TURNAROUND = 0x82,
    DATA_SIZE = 0x83,
    WINDOW = 0x84,
    EXTRA_BOFS = 0x85,
    MIN_TURNAROUND = 0x86,
};

static const uint32_t speeds[] = {2400, 9600, 19200, 38400, 57600, 115200};
static const uint16_t max_turnarounds_ms[] = {500, 250, 100, 50};
static const uint8_t extra_bofs[] = {48, 24, 12, 5, 3, 2, 1, 0};
static const uint16_t min_turnarounds_us[] = {10000, 5000, 1000, 500, 100, 50, 10, 0};
static const uint8_t disconnects_s[] = {3, 8, 12, 16, 20, 25, 30, 40};

// Octets that a station may send before it hands the medium over at 500 ms, by speed; less time,
// less octets.
static const uint16_t capacities[] = {100, 400, 800, 1600, 2360, 4800};

static uint8_t *field(struct lap_abilities *abilities, uint8_t identifier) {
    switch (identifier) {
    case SPEED:
        return &abilities->speeds;
    case DISCONNECT:
        return &abilities->disconnect;
    case MAX_TURNAROUND:
        return &abilities->max_turnaround;
    case DATA_SIZE:
        return &abilities->data_sizes;
    case WINDOW:
        return &abilities->windows;
    case EXTRA_BOFS:
        return &abilities->extra_bofs;
    case MIN_TURNAROUND:
        return &abilities->min_turnaround;
    default:
        return NULL;
    }
}

uint8_t *lap_parameters_write(const struct lap_abilities *abilities, uint8_t *octets) {
    static const uint8_t identifiers[] = {SPEED,      MAX_TURNAROUND, DATA_SIZE, WINDOW,
                                          EXTRA_BOFS, MIN_TURNAROUND, DISCONNECT};
    struct lap_abilities offered = *abilities;
    for (size_t at = 0; at < sizeof identifiers; at++) {
        *octets++ = identifiers[at];
        *octets++ = 1;
        *octets++ = *field(&offered, identifiers[at]);
    }
    return octets;
}

bool lap_parameters_read(struct lap_abilities *abilities, const uint8_t *octets, size_t count) {
    size_t at = 0;
    // A parameter that is not there has the value of a station without a connection.
    *abilities = (struct lap_abilities){0x02, 0x01, 0x01, 0x01, 0x01, 0x01, 0x01};
    while (at < count) {
        uint8_t *target = field(abilities, octets[at]);
        if (count - at < 2 || count - at - 2 < octets[at + 1]) {
            return false;
        }
        if (target != NULL && octets[at + 1] > 0) { // a second octet has speeds beyond this line's
            *target = octets[at + 2];
        }
        at += 2u + octets[at + 1];
    }
    return true;
}

// The number of the highest bit set, at most `most`; 0 if none is.
static unsigned highest(unsigned bits, unsigned most) {
    unsigned bit = 0;
    for (unsigned at = 0; at <= most; at++) {
        if (bits & (1u << at)) {
            bit = at;
        }
    }
    return bit;
}

// One direction: the receiver's window, size and needs, within what the sender's time on the line
// lets through.
static void fit(unsigned speed, const struct lap_abilities *receiver, uint8_t *window,
                uint16_t *octets) {
    unsigned size = highest(receiver->data_sizes, 5);
    unsigned frames = highest(receiver->windows, 6) + 1;
    unsigned turnaround = speed == 5 ? highest(receiver->max_turnaround, 3) : 0;
    uint32_t bofs = extra_bofs[highest(receiver->extra_bofs, 7)] * speeds[speed] / 115200;
    uint32_t pause =
        min_turnarounds_us[highest(receiver->min_turnaround, 7)] * (speeds[speed] / 100) / 100000;
    uint32_t capacity = (uint32_t)capacities[speed] * max_turnarounds_ms[turnaround] / 500;
    while (frames * ((64u << size) + 6 + bofs) + pause > capacity && (frames > 1 || size > 0)) {
        if (frames > 1) {
            frames--;
        } else {
            size--;
        }
    }
    *window = (uint8_t)frames;
    *octets = (uint16_t)(64u << size);
}

bool lap_parameters_agree(struct lap_link *link, const struct lap_abilities *own,
                          const struct lap_abilities *peer) {
    unsigned common = own->speeds & peer->speeds & 0x3Eu;
    unsigned ends = own->disconnect & peer->disconnect;
    if (common == 0 || ends == 0) {
        return false;
    }
    unsigned speed = highest(common, 5);
    link->speed = speeds[speed];
    link->disconnect_us = disconnects_s[highest(ends, 7)] * 1000000u;
    link->threshold_us = link->disconnect_us > 3000000u ? 3000000u : 0;
    fit(speed, peer, &link->send_window, &link->send_octets);
    fit(speed, own, &link->receive_window, &link->receive_octets);
    if (link->send_octets > IRDA_DATA_OCTETS) {
        link->send_octets = IRDA_DATA_OCTETS;
    }
    link->extra_bofs = (uint16_t)(extra_bofs[highest(peer->extra_bofs, 7)] * link->speed / 115200);
    link->min_turnaround_us = min_turnarounds_us[highest(peer->min_turnaround, 7)];
    link->own_max_turnaround_us =
        max_turnarounds_ms[speed == 5 ? highest(peer->max_turnaround, 3) : 0] * 1000u;
    link->peer_max_turnaround_us =
        max_turnarounds_ms[speed == 5 ? highest(own->max_turnaround, 3) : 0] * 1000u;
    return true;
}
