#include "medium.h"

#include <string.h>

#define NEVER UINT64_MAX
#define BITS 10u

static uint64_t draw(uint64_t *state) { // splitmix64
    uint64_t value = *state += 0x9E3779B97F4A7C15u;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

static uint64_t bits_ns(uint64_t bits, uint32_t speed) {
    return bits * 1000000000u / speed;
}

uint64_t medium_now_us(const struct medium *medium) {
    return medium->now_ns / 1000;
}

static uint32_t now_us(void *context) {
    const struct medium_station *station = context;
    return (uint32_t)medium_now_us(station->medium);
}

static uint32_t random_bits(void *context) {
    struct medium_station *station = context;
    return (uint32_t)(draw(&station->random) >> 32);
}

static void start_sending(void *context) {
    struct medium_station *station = context;
    station->wants_to_send = true;
}

static void set_speed(void *context, uint32_t bits_per_second) {
    struct medium_station *station = context;
    station->speed = bits_per_second;
}

void medium_init(struct medium *medium, const struct medium_config *config) {
    memset(medium, 0, sizeof *medium);
    medium->config = *config;
}

const struct irda_port *medium_add(struct medium *medium, const struct medium_driver *driver) {
    if (medium->count == MEDIUM_STATIONS) {
        return NULL;
    }
    struct medium_station *station = &medium->stations[medium->count++];
    uint64_t seed = medium->config.seed * MEDIUM_STATIONS + medium->count;
    station->medium = medium;
    station->driver = *driver;
    station->speed = 9600;
    station->random = draw(&seed);
    station->noise = draw(&seed);
    station->port = (struct irda_port){station, now_us, random_bits, start_sending, set_speed};
    return &station->port;
}

// The bits of one octet with the zeros of another one that is on the air at the same time.
static void collide(struct medium_octet *octet, const struct medium_octet *other) {
    uint64_t bit_ns = (octet->end_ns - octet->begin_ns) / BITS;
    uint64_t other_bit_ns = (other->end_ns - other->begin_ns) / BITS;
    uint16_t pulses = (uint16_t)(other->value << 1 | 0x200);
    for (unsigned bit = 0; bit < BITS; bit++) {
        uint64_t middle_ns = octet->begin_ns + bit * bit_ns + bit_ns / 2;
        if (middle_ns >= other->begin_ns && middle_ns < other->end_ns &&
            !(pulses >> (middle_ns - other->begin_ns) / other_bit_ns & 1)) {
            octet->bits &= (uint16_t) ~(1u << bit);
        }
    }
}

// Sends the next octet of a burst, or reports the burst's end.
static void send_next(struct medium *medium, unsigned number) {
    struct medium_station *station = &medium->stations[number];
    struct medium_octet *octet = &station->octet;
    uint8_t value;
    if (station->driver.fetch(station->driver.context, &value, 1) == 0) {
        station->sends = false;
        station->heard_from_ns = medium->now_ns;
        station->driver.sent(station->driver.context);
        return;
    }
    octet->value = value;
    octet->bits = (uint16_t)(value << 1 | 0x200);
    octet->begin_ns =
        station->burst_begin_ns + bits_ns(station->burst_octets * BITS, station->speed);
    octet->end_ns =
        station->burst_begin_ns + bits_ns(++station->burst_octets * BITS, station->speed);
    octet->merged = false;
    if (medium_loses(medium, number, value)) {
        octet->bits ^= 0x0AA;
    }
    for (unsigned other = 0; other < medium->count; other++) {
        struct medium_station *peer = &medium->stations[other];
        if (other != number && peer->sends && peer->octet.end_ns > octet->begin_ns) {
            collide(octet, &peer->octet);
            collide(&peer->octet, octet);
            octet->merged = true;
        }
    }
}

static uint16_t with_errors(struct medium *medium, struct medium_station *station, uint16_t bits) {
    uint64_t limit = (uint64_t)medium->config.errors_per_1e9_bits * 4294967296u / 1000000000u;
    for (unsigned bit = 0; limit > 0 && bit < BITS; bit++) {
        if ((draw(&station->noise) >> 32) < limit) {
            bits ^= (uint16_t)(1u << bit);
        }
    }
    return bits;
}

// An octet has left: it is on its way to all that can hear it. True if one of them gets another
// value.
static bool arrive(struct medium *medium, struct medium_station *from, struct medium_station *to) {
    const struct medium_octet *octet = &from->octet;
    bool echo = to == from;
    if (octet->merged ||
        (echo ? !medium->config.echo : to->sends || octet->begin_ns < to->heard_from_ns)) {
        return octet->merged;
    }
    uint16_t bits = echo ? octet->bits : with_errors(medium, to, octet->bits);
    uint8_t value = (uint8_t)(bits >> 1);
    bool is_lost = bits & 1u || to->flight_count == MEDIUM_FLIGHT; // no start bit
    if (!is_lost) {
        struct medium_arrival *arrival =
            &to->flight[(to->flight_first + to->flight_count++) % MEDIUM_FLIGHT];
        arrival->at_ns = octet->end_ns + medium->config.latency_us * UINT64_C(1000);
        arrival->value = value;
        arrival->damaged = !(bits & 0x200) || to->speed != from->speed;
    }
    return is_lost || value != octet->value || !(bits & 0x200);
}

static void end_octet(struct medium *medium, unsigned number) {
    struct medium_station *station = &medium->stations[number];
    bool damaged = false;
    for (unsigned to = 0; to < medium->count; to++) {
        damaged |= arrive(medium, station, &medium->stations[to]);
    }
    if (medium->config.log != NULL) {
        fprintf(medium->config.log, "%llu %u %02x %d\n",
                (unsigned long long)(station->octet.begin_ns / 1000), number, station->octet.value,
                damaged);
    }
    send_next(medium, number);
}

static uint64_t delivery_ns(const struct medium *medium, const struct medium_station *station) {
    uint32_t chunk = medium->config.chunk_octets < 2 ? 1 : medium->config.chunk_octets;
    if (station->flight_count == 0) {
        return NEVER;
    }
    if (station->flight_count >= chunk) {
        return station->flight[(station->flight_first + chunk - 1) % MEDIUM_FLIGHT].at_ns;
    }
    uint32_t last = (station->flight_first + station->flight_count - 1) % MEDIUM_FLIGHT;
    return station->flight[last].at_ns + medium->config.chunk_wait_us * UINT64_C(1000);
}

static void deliver(struct medium *medium, struct medium_station *station) {
    uint8_t octets[64];
    size_t count = 0;
    while (station->flight_count > 0 &&
           station->flight[station->flight_first].at_ns <= medium->now_ns) {
        struct medium_arrival arrival = station->flight[station->flight_first];
        station->flight_first = (station->flight_first + 1) % MEDIUM_FLIGHT;
        station->flight_count--;
        if (count == sizeof octets || arrival.damaged) {
            station->driver.receive(station->driver.context, octets, count);
            count = 0;
        }
        if (arrival.damaged) {
            station->driver.receive_damaged(station->driver.context);
        } else {
            octets[count++] = arrival.value;
        }
    }
    station->driver.receive(station->driver.context, octets, count);
}

// Each station's own time does not wrap: a deadline is at most 2^31 us away.
static uint64_t run_ns(const struct medium *medium, const struct medium_station *station) {
    uint32_t at_us;
    if (!station->driver.deadline(station->driver.context, &at_us)) {
        return NEVER;
    }
    int32_t wait_us = (int32_t)(at_us - (uint32_t)medium_now_us(medium));
    return wait_us <= 0 ? medium->now_ns : (medium_now_us(medium) + (uint32_t)wait_us) * 1000;
}

enum event { OCTET_ENDS, OCTETS_ARRIVE, TIME_COMES, BURST_BEGINS, EVENTS };

static uint64_t event_ns(const struct medium *medium, const struct medium_station *station,
                         unsigned event) {
    switch (event) {
    case OCTET_ENDS:
        return station->sends ? station->octet.end_ns : NEVER;
    case OCTETS_ARRIVE:
        return delivery_ns(medium, station);
    case TIME_COMES:
        return run_ns(medium, station);
    default:
        return station->wants_to_send ? medium->now_ns : NEVER;
    }
}

static void happen(struct medium *medium, unsigned number, unsigned event) {
    struct medium_station *station = &medium->stations[number];
    switch (event) {
    case OCTET_ENDS:
        end_octet(medium, number);
        break;
    case OCTETS_ARRIVE:
        deliver(medium, station);
        break;
    case TIME_COMES:
        station->driver.run(station->driver.context);
        break;
    default:
        station->wants_to_send = false;
        station->sends = true;
        station->burst_begin_ns = medium->now_ns;
        station->burst_octets = 0;
        send_next(medium, number);
        break;
    }
}

void medium_run(struct medium *medium, uint64_t until_us) {
    for (;;) {
        uint64_t first_ns = NEVER;
        unsigned number = 0, event = 0;
        for (unsigned kind = 0; kind < EVENTS; kind++) {
            for (unsigned at = 0; at < medium->count; at++) {
                uint64_t at_ns = event_ns(medium, &medium->stations[at], kind);
                if (at_ns < first_ns) {
                    first_ns = at_ns;
                    number = at;
                    event = kind;
                }
            }
        }
        if (first_ns > until_us * 1000) {
            medium->now_ns = until_us * 1000;
            return;
        }
        if (first_ns > medium->now_ns) {
            medium->now_ns = first_ns;
        }
        happen(medium, number, event);
    }
}
