// Two stations with several connections over one link: station 0 asks for information, then sends
// over all connections at once. For tests of IrLMP, IAS and TinyTP without the file application.
//
// usage: mux_host NAME=VALUE…
//
//   ask=CLASS/ATTRIBUTE  a question to the other station's IAS; may be given again
//   connections=NUMBER   of TinyTP, 1 to 8 (1)
//   octets=NUMBER        that each connection carries (10000)
//   unit=NUMBER          octets of a unit, 1 to 4096 (1000)
//   takes=NUMBER         octets of the largest unit that the receiver takes (4096)
//   credits=NUMBER       (14)
//   hold=CONNECTION:SECONDS:SECONDS  the receiver gives this one no credits between these times
//   absent=1             connects to a selector at which nobody listens
//   log, until, seed, errors           as of send_host
//
// Prints events: US STATION EVENT NUMBER VALUE.
#include <stdlib.h>
#include <string.h>

#include "crc32.h"
#include "framer.h"
#include "ias.h"
#include "medium.h"
#include "ttp.h"

enum { LONGEST = 300, SEQUENCE = 1100 }; // octets of values, of which fewer are sent
enum { CONNECTIONS = 8, UNIT = 4096, QUESTIONS = 8, SELECTOR = 0x02, ABSENT = 0x6F, NUMBER = 31 };

struct connection {
    struct ttp ttp;
    unsigned station, number;
    uint32_t octets, crc, units;
    uint8_t unit[UNIT], buffer[UNIT];
};

struct station {
    struct framer framer;
    struct lap lap;
    struct lmp lmp;
    struct ias_server server;
    struct ias_client asker;
    struct connection connections[CONNECTIONS];
};

static struct medium medium;
static struct station stations[2];
static struct {
    struct medium_config medium;
    char *questions[QUESTIONS];
    unsigned question_count, connections, octets, unit, takes, credits, absent, held;
    double until_s, hold_s, go_on_s;
} options = {.medium = {.seed = 1},
             .connections = 1,
             .octets = 10000,
             .unit = 1000,
             .takes = UNIT,
             .credits = 14,
             .until_s = 60};
static unsigned next_question;
static uint32_t other_address;

static void event(unsigned station, const char *name, unsigned number, long value) {
    printf("%llu %u %s %u %ld\n", (unsigned long long)medium_now_us(&medium), station, name, number,
           value);
}

// Octet `at` of what connection `number` carries; the first one names the connection.
static uint8_t pattern(unsigned number, uint32_t at) {
    return (uint8_t)((at * 2654435761u >> 13) + number * NUMBER);
}

static void send_unit(struct connection *one) {
    uint32_t left = options.octets - one->octets;
    uint32_t count = left < options.unit ? left : options.unit;
    for (uint32_t at = 0; at < count; at++) {
        one->unit[at] = pattern(one->number, one->octets + at);
    }
    if (count == 0) {
        event(0, "all_sent", one->number, (long)one->ttp.counters.times_without_credit);
    } else if (ttp_send(&one->ttp, one->unit, count)) {
        // `sent` may have been called from within: it counts what it has sent itself
    } else {
        event(0, "not_sent", one->number, (long)count);
    }
}

static void sent(void *context) {
    struct connection *one = context;
    uint32_t left = options.octets - one->octets;
    one->octets += left < options.unit ? left : options.unit;
    send_unit(one);
}

static void asked(void *context) {
    struct connection *one = context;
    ttp_accept(&one->ttp);
}

static void connected(void *context) {
    struct connection *one = context;
    event(0, "connected", one->number, (long)ttp_unit_octets(&one->ttp));
    send_unit(one);
}

static void disconnected(void *context, enum lmp_reason reason) {
    struct connection *one = context;
    event(one->station, "disconnected", one->number, (long)reason);
}

static void unit_came(void *context, const uint8_t *octets, size_t count) {
    struct connection *one = context;
    one->number = one->octets == 0 ? octets[0] / NUMBER : one->number;
    for (size_t at = 0; at < count; at++) {
        if (octets[at] != pattern(one->number, one->octets + (uint32_t)at)) {
            event(one->station, "differs", one->number, (long)(one->octets + at));
            return;
        }
    }
    one->octets += (uint32_t)count;
    one->units++;
    if (one->octets == options.octets) {
        event(one->station, "all_came", one->number, (long)one->units);
    }
}

static const struct ttp_user calls = {asked, connected, disconnected, unit_came, sent};

static void connect_all(void) {
    for (unsigned at = 0; at < options.connections; at++) {
        uint8_t remote = (uint8_t)(options.absent ? ABSENT : SELECTOR);
        if (!ttp_connect(&stations[0].connections[at].ttp, other_address, remote)) {
            event(0, "not_connected", at, 0);
        }
    }
}

static void ask_next(void) {
    if (next_question == options.question_count) {
        connect_all();
        return;
    }
    char *question = options.questions[next_question++];
    char *attribute = strchr(question, '/');
    *attribute = 0;
    ias_ask(&stations[0].asker, other_address, question, attribute + 1);
}

static void answered(void *context, enum ias_result result, const struct ias_value *value) {
    (void)context;
    event(0, "answer", next_question - 1, (long)result);
    if (value != NULL && value->type == IAS_INTEGER) {
        event(0, "integer", next_question - 1, (long)value->integer);
    } else if (value != NULL) {
        event(0, "octets", value->type, (long)crc32_add(0, value->octets, value->count));
    }
    ask_next();
}

static void discovered(void *context, const struct lap_device *devices, unsigned count,
                       enum lap_reason result) {
    (void)context;
    event(0, "discovered", count, (long)result);
    if (count > 0) {
        other_address = devices[0].address;
        ask_next();
    }
}

static void link_ended(void *context, enum lap_reason reason) {
    struct station *station = context;
    event(station == &stations[1], "link_ended", 0, (long)reason);
}

static void receive(void *context, const uint8_t *octets, size_t count) {
    framer_receive(&((struct station *)context)->framer, octets, count);
}

static void receive_damaged(void *context) {
    framer_receive_damaged(&((struct station *)context)->framer);
}

static size_t fetch(void *context, uint8_t *octets, size_t capacity) {
    return framer_fetch(&((struct station *)context)->framer, octets, capacity);
}

static void line_sent(void *context) {
    framer_sent(&((struct station *)context)->framer);
}

static void run(void *context) {
    lap_run(&((struct station *)context)->lap);
}

static bool deadline(void *context, uint32_t *at_us) {
    return lap_deadline(&((struct station *)context)->lap, at_us);
}

static const uint8_t some_octets[] = {0xC0, 0xC1, 0x7D, 0x00, 0xFF};
static const char long_text[] = "A value that is longer than a frame of 64 octets, which is the "
                                "smallest size of data that two stations can agree on.";
static uint8_t longest[SEQUENCE]; // each octet is its place
static const struct ias_attribute attributes[] = {
    {"Device", 0, "DeviceName", {IAS_STRING, 0, (const uint8_t *)"Station", 7}},
    {"Test", 1, "Integer", {IAS_INTEGER, -2, NULL, 0}},
    {"Test", 1, "Octets", {IAS_OCTETS, 0, some_octets, sizeof some_octets}},
    {"Test", 1, "Long", {IAS_STRING, 0, (const uint8_t *)long_text, sizeof long_text - 1}},
    {"Test", 1, "Longest", {IAS_STRING, 0, longest, LONGEST}},
    {"Test", 1, "Octets of all lengths", {IAS_OCTETS, 0, longest, SEQUENCE}},
    {"Test", 1, IAS_TINYTP, {IAS_INTEGER, SELECTOR, NULL, 0}},
    {"Test", 1, "Missing", {IAS_MISSING, 0, NULL, 0}},
};

static void add_station(unsigned number, uint8_t sizes) {
    struct station *station = &stations[number];
    struct medium_driver driver = {station,   receive, receive_damaged, fetch,
                                   line_sent, run,     deadline};
    const struct lmp_owner owner = {station, discovered, link_ended};
    const struct lap_config config = {.abilities = {0x3E, 0x01, sizes, 0x7F, 0x80, 0x10, 0x01}};
    lmp_init(&station->lmp, &station->lap, &owner);
    lap_init(&station->lap, medium_add(&medium, &driver), &station->lmp.client, &config);
    framer_init(&station->framer, &station->lap);
    ias_serve(&station->server, &station->lmp, attributes, sizeof attributes / sizeof *attributes);
    ias_client_init(&station->asker, &station->lmp, answered, station);
    for (unsigned at = 0; at < options.connections; at++) {
        struct connection *one = &station->connections[at];
        one->station = number;
        one->number = at;
        ttp_init(&one->ttp, &station->lmp, &calls, one, one->buffer, options.takes,
                 (uint8_t)options.credits);
        if (number == 1) {
            ttp_listen(&one->ttp, SELECTOR);
        }
    }
}

static void read_option(char *argument) {
    char *value = strchr(argument, '=');
    unsigned *numbers[] = {&options.connections,
                           &options.octets,
                           &options.unit,
                           &options.takes,
                           &options.credits,
                           &options.absent,
                           &options.medium.errors_per_1e9_bits};
    static const char *const names[] = {"connections", "octets", "unit",  "takes",
                                        "credits",     "absent", "errors"};
    if (value != NULL) {
        *value++ = 0;
        for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
            if (strcmp(argument, names[at]) == 0) {
                *numbers[at] = (unsigned)strtoul(value, NULL, 10);
                return;
            }
        }
        if (strcmp(argument, "ask") == 0 && strchr(value, '/') != NULL &&
            options.question_count < QUESTIONS) {
            options.questions[options.question_count++] = value;
            return;
        } else if (strcmp(argument, "log") == 0) {
            options.medium.log = fopen(value, "w");
            return;
        } else if (strcmp(argument, "seed") == 0) {
            options.medium.seed = strtoull(value, NULL, 10);
            return;
        } else if (strcmp(argument, "until") == 0) {
            options.until_s = atof(value);
            return;
        } else if (strcmp(argument, "hold") == 0 &&
                   sscanf(value, "%u:%lf:%lf", &options.held, &options.hold_s, &options.go_on_s) ==
                       3) {
            return;
        }
    }
    fprintf(stderr, "mux_host: not an option here: %s\n", argument);
    exit(2);
}

int main(int count, char **arguments) {
    for (int at = 1; at < count; at++) {
        read_option(arguments[at]);
    }
    for (unsigned at = 0; at < SEQUENCE; at++) {
        longest[at] = (uint8_t)at;
    }
    medium_init(&medium, &options.medium);
    add_station(0, 0x01);
    add_station(1, 0x01);
    lap_discover(&stations[0].lap, 6);
    if (options.go_on_s > 0) {
        struct ttp *held = &stations[1].connections[options.held].ttp;
        medium_run(&medium, (uint64_t)(options.hold_s * 1e6));
        ttp_hold(held, true);
        medium_run(&medium, (uint64_t)(options.go_on_s * 1e6));
        event(1, "goes_on", options.held, (long)stations[1].connections[options.held].octets);
        ttp_hold(held, false);
    }
    medium_run(&medium, (uint64_t)(options.until_s * 1e6));
    if (options.medium.log != NULL) {
        fclose(options.medium.log);
    }
    return 0;
}
