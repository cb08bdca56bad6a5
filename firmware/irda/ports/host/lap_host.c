// Stations with IrLAP on one medium, driven by a scenario; for tests and for looking at the
// protocol.
//
// usage: lap_host SCENARIO [LOG]
//
// SCENARIO has one command per line; LOG takes the octets (medium.h). The commands:
//
// clang-format off
//   medium SEED ERRORS_PER_1E9_BITS LATENCY_US ECHO CHUNK_OCTETS CHUNK_WAIT_US
//
//   station ADDRESS SPEEDS MAX_TURNAROUND SIZES WINDOWS BOFS MIN_TURNAROUND DISCONNECT INFO ACCEPTS FILE [KEEPS]
//
//   foreign
//
//   lose STATION MASK VALUE SKIP COUNT
//
//   at US STATION discover SLOTS | connect ADDRESS | disconnect | send FILE | busy 0|1 | unit HEX | reset | broadcast HEX | test ADDRESS:HEX | raw SPEED:HEX
//
//   until US
// clang-format on
//
// The command `medium` comes first, if at all. Numbers of a station are hexadecimal but ACCEPTS: 0
// refuses a connection, 1 takes it, 2 does not decide. FILE takes the received data (-: none).
// KEEPS 1: it keeps packets that come out of sequence. A foreign station has no stack and sends raw
// octets. `lose` takes frames away by their control octet.
//
// Prints one event per line: US STATION EVENT and its values. Prints each station's counters at the
// end.
#include "host_station.h"

#include <stdlib.h>
#include <string.h>

struct planned {
    unsigned long long at_us;
    unsigned station;
    char verb[16];
    char value[4200];
};

struct scenario {
    struct medium medium;
    struct host_station stations[MEDIUM_STATIONS];
    unsigned count;
    bool foreign[MEDIUM_STATIONS];
    unsigned long long until_us;
};

static struct scenario scenario;

static void fail(const char *line) {
    fprintf(stderr, "lap_host: not a command here: %s", line);
    exit(2);
}

static void add_station(const char *line) {
    unsigned fields[8], accepts, keeps = 0;
    char info[2 * LAP_INFO_OCTETS + 2], file[256];
    struct lap_config config = {0};
    struct host_station *station = &scenario.stations[scenario.count];
    if (sscanf(line, "station %x %x %x %x %x %x %x %x %65s %u %255s %u", &fields[0], &fields[1],
               &fields[2], &fields[3], &fields[4], &fields[5], &fields[6], &fields[7], info,
               &accepts, file, &keeps) < 11 ||
        scenario.count == MEDIUM_STATIONS) {
        fail(line);
    }
    config.address = fields[0];
    config.abilities = (struct lap_abilities){
        (uint8_t)fields[1], (uint8_t)fields[2], (uint8_t)fields[3], (uint8_t)fields[4],
        (uint8_t)fields[5], (uint8_t)fields[6], (uint8_t)fields[7]};
    config.info_octets = (uint8_t)host_hex(info, config.info, LAP_INFO_OCTETS);
    config.kept = keeps ? station->kept : NULL;
    host_station_init(station, &scenario.medium, scenario.count++, &config, accepts, file);
}

static void act(const struct planned *planned) {
    struct host_station *station = &scenario.stations[planned->station];
    struct lap *lap = &station->lap;
    const char *verb = planned->verb, *value = planned->value;
    uint8_t octets[2100];
    uint32_t address;
    bool done = true;
    if (strcmp(verb, "raw") == 0) {
        host_station_raw(station, value);
    } else if (scenario.foreign[planned->station]) {
        fail("a foreign station can do nothing but raw\n");
    } else if (strcmp(verb, "discover") == 0) {
        done = lap_discover(lap, (unsigned)atoi(value));
    } else if (strcmp(verb, "connect") == 0) {
        done = lap_connect(lap, (uint32_t)strtoul(value, NULL, 16));
    } else if (strcmp(verb, "disconnect") == 0) {
        lap_disconnect(lap);
    } else if (strcmp(verb, "send") == 0) {
        host_station_send(station, value);
    } else if (strcmp(verb, "busy") == 0) {
        lap_set_busy(lap, atoi(value) != 0);
    } else if (strcmp(verb, "unit") == 0) {
        done = lap_send_unit(lap, octets, host_hex(value, octets, sizeof octets));
    } else if (strcmp(verb, "reset") == 0) {
        lap_reset(lap);
    } else if (strcmp(verb, "broadcast") == 0) {
        done = lap_broadcast(lap, octets, host_hex(value, octets, sizeof octets));
    } else if (strcmp(verb, "test") == 0 && strchr(value, ':') != NULL) {
        address = (uint32_t)strtoul(value, NULL, 16);
        done =
            lap_test(lap, address, octets, host_hex(strchr(value, ':') + 1, octets, sizeof octets));
    } else {
        fail(verb);
    }
    if (!done) {
        host_event(station, "refused");
        printf(" %s\n", verb);
    }
}

static void read_medium(const char *line, FILE *log) {
    struct medium_config config = {0};
    unsigned long long seed = 1;
    unsigned echo = 0;
    if (line != NULL &&
        sscanf(line, "medium %llu %u %u %u %u %u", &seed, &config.errors_per_1e9_bits,
               &config.latency_us, &echo, &config.chunk_octets, &config.chunk_wait_us) != 6) {
        fail(line);
    }
    config.seed = seed;
    config.echo = echo != 0;
    config.log = log;
    medium_init(&scenario.medium, &config);
}

// Carries out a line; a planned command waits for its time.
static void carry_out(const char *line) {
    static struct planned planned;
    struct medium_loss loss;
    unsigned mask, value;
    if (line[0] == '#' || line[0] == '\n') {
        return;
    }
    if (strncmp(line, "station ", 8) == 0) {
        add_station(line);
    } else if (strncmp(line, "foreign", 7) == 0 && scenario.count < MEDIUM_STATIONS) {
        scenario.foreign[scenario.count] = true;
        host_station_foreign(&scenario.stations[scenario.count], &scenario.medium, scenario.count);
        scenario.count++;
    } else if (sscanf(line, "lose %u %x %x %u %u", &loss.station, &mask, &value, &loss.skip,
                      &loss.count) == 5) {
        loss.mask = (uint8_t)mask;
        loss.value = (uint8_t)value;
        if (!medium_lose(&scenario.medium, &loss)) {
            fail(line);
        }
    } else if (sscanf(line, "at %llu %u %15s %4199s", &planned.at_us, &planned.station,
                      planned.verb, planned.value) >= 3 &&
               planned.station < scenario.count) {
        medium_run(&scenario.medium, planned.at_us);
        act(&planned);
        planned.value[0] = 0;
    } else if (sscanf(line, "until %llu", &scenario.until_us) == 1) {
        medium_run(&scenario.medium, scenario.until_us);
    } else {
        fail(line);
    }
}

int main(int count, char **arguments) {
    static char line[8800];
    FILE *file = count > 1 ? fopen(arguments[1], "r") : NULL;
    FILE *log = count > 2 ? fopen(arguments[2], "w") : NULL;
    if (file == NULL || (count > 2 && log == NULL)) {
        fprintf(stderr, "lap_host: cannot open the scenario or the log: give their paths\n");
        return 2;
    }
    bool first = true;
    while (fgets(line, sizeof line, file) != NULL) {
        bool is_medium = strncmp(line, "medium ", 7) == 0;
        if (first) {
            read_medium(is_medium ? line : NULL, log);
            first = false;
        }
        if (!is_medium) {
            carry_out(line);
        }
    }
    for (unsigned at = 0; at < scenario.count; at++) {
        if (!scenario.foreign[at]) {
            host_station_end(&scenario.stations[at]);
        }
    }
    fclose(file);
    return log != NULL && fclose(log) != 0;
}
