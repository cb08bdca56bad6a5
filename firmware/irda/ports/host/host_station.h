// One station of a scenario: IrLAP with a client that prints what it is called with, sends a file
// and keeps another.
#ifndef IRDA_HOST_STATION_H
#define IRDA_HOST_STATION_H

#include "framer.h"
#include "lap.h"
#include "medium.h"

#define HOST_RAW_OCTETS 4096

struct host_station {
    unsigned number;
    struct medium *medium;
    const struct irda_port *port;
    struct lap lap;
    struct framer framer;
    struct lap_client client;
    unsigned accepts; // 0: refuses, 1: takes a connection, 2: does not decide
    FILE *sends;      // null: nothing to send, or all is committed
    FILE *keeps;
    struct lap_packet kept[LAP_KEPT]; // of lap_config
    unsigned long long received;      // octets
    // a foreign station's, or what is put on the medium without the stack
    uint8_t raw[HOST_RAW_OCTETS];
    size_t raw_count;
    size_t raw_next;
};

// Adds a station with IrLAP. `file` takes the data received; "-": none.
void host_station_init(struct host_station *station, struct medium *medium, unsigned number,
                       const struct lap_config *config, unsigned accepts, const char *file);

// Adds a station without IrLAP.
void host_station_foreign(struct host_station *station, struct medium *medium, unsigned number);

// Sends raw octets of hexadecimal digits from a foreign station.
void host_station_raw(struct host_station *station, const char *digits);

// Sends a file's octets as packets as large as the connection allows.
void host_station_send(struct host_station *station, const char *file);

// Prints the counters and closes files.
void host_station_end(struct host_station *station);

// Prints the time, the station and the event, without the line's end.
void host_event(const struct host_station *station, const char *event);

// Reads hexadecimal digits ("-": none); returns how many octets.
size_t host_hex(const char *digits, uint8_t *octets, size_t capacity);

#endif
