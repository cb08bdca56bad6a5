#include "host_station.h"

#include <stdlib.h>
#include <string.h>

void host_event(const struct host_station *station, const char *event) {
    printf("%llu %u %s", (unsigned long long)medium_now_us(station->medium), station->number,
           event);
}

size_t host_hex(const char *digits, uint8_t *octets, size_t capacity) {
    size_t count = 0;
    unsigned octet;
    while (count < capacity && sscanf(digits + 2 * count, "%2x", &octet) == 1) {
        octets[count++] = (uint8_t)octet;
        if (digits[2 * count - 1] == 0) {
            break;
        }
    }
    return count;
}

static void print_device(const struct lap_device *device) {
    printf(" %08x:", (unsigned)device->address);
    for (unsigned at = 0; at < device->info_octets; at++) {
        printf("%02x", device->info[at]);
    }
}

static void push(struct host_station *station) {
    size_t capacity;
    uint8_t *packet;
    while (station->sends != NULL && (packet = lap_reserve(&station->lap, &capacity)) != NULL) {
        size_t count = fread(packet, 1, capacity, station->sends);
        if (count == 0) {
            fclose(station->sends);
            station->sends = NULL;
        } else {
            lap_commit(&station->lap, count);
        }
    }
}

static void discovered(void *context, const struct lap_device *devices, unsigned count,
                       enum lap_reason result) {
    struct host_station *station = context;
    host_event(station, "discovered");
    printf(" %d %u", (int)result, count);
    for (unsigned at = 0; at < count; at++) {
        print_device(&devices[at]);
    }
    printf("\n");
}

static void was_discovered(void *context, const struct lap_device *device) {
    host_event(context, "was_discovered");
    print_device(device);
    printf("\n");
}

static void connect_asked(void *context, uint32_t address) {
    struct host_station *station = context;
    host_event(station, "connect_asked");
    printf(" %08x\n", (unsigned)address);
    if (station->accepts == 1) {
        lap_accept(&station->lap);
    } else if (station->accepts == 0) {
        lap_disconnect(&station->lap);
    }
}

static void connected(void *context) {
    struct host_station *station = context;
    const struct lap_link *link = &station->lap.link;
    host_event(station, "connected");
    printf(" %08x %d %u %u %u %u %u %u %u %u %u %u\n", (unsigned)link->address, link->primary,
           (unsigned)link->speed, link->send_octets, link->send_window, link->receive_octets,
           link->receive_window, link->extra_bofs, (unsigned)link->min_turnaround_us,
           (unsigned)link->own_max_turnaround_us, (unsigned)link->peer_max_turnaround_us,
           (unsigned)link->disconnect_us);
    push(station);
}

static void disconnected(void *context, enum lap_reason reason) {
    host_event(context, "disconnected");
    printf(" %d\n", (int)reason);
}

static void data(void *context, const uint8_t *octets, size_t count) {
    struct host_station *station = context;
    station->received += count;
    if (station->keeps != NULL) {
        fwrite(octets, 1, count, station->keeps);
    }
    host_event(station, "data");
    printf(" %zu\n", count);
}

static void print_octets(const uint8_t *octets, size_t count) {
    printf(" ");
    for (size_t at = 0; at < count; at++) {
        printf("%02x", octets[at]);
    }
    printf("\n");
}

static void unit_data(void *context, const uint8_t *octets, size_t count) {
    host_event(context, "unit_data");
    print_octets(octets, count);
}

static void broadcast(void *context, const uint8_t *octets, size_t count) {
    host_event(context, "broadcast");
    print_octets(octets, count);
}

static void tested(void *context, uint32_t address, const uint8_t *octets, size_t count) {
    host_event(context, "tested");
    printf(" %08x", (unsigned)address);
    print_octets(octets, count);
}

static void was_reset(void *context) {
    host_event(context, "was_reset");
    printf("\n");
}

static void ready(void *context) {
    push(context);
}

static void silent(void *context, bool is_silent) {
    host_event(context, "silent");
    printf(" %d\n", is_silent);
}

static void receive(void *context, const uint8_t *octets, size_t count) {
    struct host_station *station = context;
    framer_receive(&station->framer, octets, count);
}

static void receive_damaged(void *context) {
    struct host_station *station = context;
    framer_receive_damaged(&station->framer);
}

static size_t fetch(void *context, uint8_t *octets, size_t capacity) {
    struct host_station *station = context;
    return framer_fetch(&station->framer, octets, capacity);
}

static void sent(void *context) {
    struct host_station *station = context;
    framer_sent(&station->framer);
}

static void run(void *context) {
    struct host_station *station = context;
    lap_run(&station->lap);
}

static bool deadline(void *context, uint32_t *at_us) {
    struct host_station *station = context;
    return lap_deadline(&station->lap, at_us);
}

void host_station_init(struct host_station *station, struct medium *medium, unsigned number,
                       const struct lap_config *config, unsigned accepts, const char *file) {
    struct medium_driver driver = {station, receive, receive_damaged, fetch, sent, run, deadline};
    station->number = number;
    station->medium = medium;
    station->accepts = accepts;
    station->keeps = strcmp(file, "-") == 0 ? NULL : fopen(file, "wb");
    station->client = (struct lap_client){
        station,   discovered, was_discovered, connect_asked, connected, disconnected, data,
        unit_data, broadcast,  tested,         was_reset,     ready,     silent};
    station->port = medium_add(medium, &driver);
    lap_init(&station->lap, station->port, &station->client, config);
    framer_init(&station->framer, &station->lap);
}

static void ignore_octets(void *context, const uint8_t *octets, size_t count) {
    (void)context;
    (void)octets;
    (void)count;
}

static void ignore(void *context) {
    (void)context;
}

static bool never(void *context, uint32_t *at_us) {
    (void)context;
    (void)at_us;
    return false;
}

static size_t fetch_raw(void *context, uint8_t *octets, size_t capacity) {
    struct host_station *station = context;
    size_t count = station->raw_count - station->raw_next;
    count = count < capacity ? count : capacity;
    memcpy(octets, station->raw + station->raw_next, count);
    station->raw_next += count;
    return count;
}

void host_station_foreign(struct host_station *station, struct medium *medium, unsigned number) {
    struct medium_driver driver = {station, ignore_octets, ignore, fetch_raw,
                                   ignore,  ignore,        never};
    station->number = number;
    station->medium = medium;
    station->port = medium_add(medium, &driver);
}

void host_station_raw(struct host_station *station, const char *digits) {
    unsigned speed;
    int at = 0;
    if (sscanf(digits, "%u:%n", &speed, &at) == 1 && at > 0) {
        station->port->set_speed(station->port->context, speed);
    }
    station->raw_next = 0;
    station->raw_count = host_hex(digits + at, station->raw, HOST_RAW_OCTETS);
    station->port->start_sending(station->port->context);
}

void host_station_send(struct host_station *station, const char *file) {
    station->sends = fopen(file, "rb");
    if (station->sends == NULL) {
        fprintf(stderr, "lap_host: cannot open %s\n", file);
        exit(2);
    }
    push(station);
}

void host_station_end(struct host_station *station) {
    const struct lap_counters *c = &station->lap.counters;
    const struct sir_receiver *r = &station->framer.receiver;
    host_event(station, "counters");
    printf(" address=%08x received=%llu pending=%u mode=%d", (unsigned)station->lap.address,
           station->received, lap_pending(&station->lap), (int)station->lap.mode);
#define COUNTER(of, name) printf(" " #name "=%u", (unsigned)(of)->name)
    COUNTER(c, frames_sent);
    COUNTER(c, frames_received);
    COUNTER(c, data_sent);
    COUNTER(c, data_repeated);
    COUNTER(c, data_received);
    COUNTER(c, data_discarded);
    COUNTER(c, polls_sent);
    COUNTER(c, rejects_sent);
    COUNTER(c, rejects_received);
    COUNTER(c, selective_received);
    COUNTER(c, busy_received);
    COUNTER(c, final_timeouts);
    COUNTER(c, watchdog_timeouts);
    COUNTER(c, connect_repeated);
    COUNTER(c, slots_sent);
    COUNTER(c, frames_rejected);
    COUNTER(c, selective_sent);
    COUNTER(c, data_kept);
    COUNTER(c, resets);
    COUNTER(r, good_frames);
    COUNTER(r, wrong_fcs);
    COUNTER(r, broken_off);
    COUNTER(r, too_long);
    printf("\n");
    if (station->keeps != NULL) {
        fclose(station->keeps);
    }
    if (station->sends != NULL) {
        fclose(station->sends);
    }
}
