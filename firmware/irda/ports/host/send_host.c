// Two stations of all layers on one medium: station 0 sends files, station 1 takes them. For tests
// and for looking at the protocols.
//
// usage: send_host NAME=VALUE…
//
// The options are in send_options.h.
//
// Prints a line for each event, US STATION EVENT VALUE, and for each counter, STATION NAME VALUE.
#include <stdlib.h>
#include <string.h>

#include "irda.h"
#include "medium.h"
#include "send_options.h"

struct station {
    struct irda irda;
    struct lap_packet kept[LAP_KEPT];
    unsigned number;
    FILE *file;
    bool is_gone;
    uint64_t octets;
};

static struct options options;
static struct medium medium;
static struct station stations[3];
static unsigned next_file;

static void event(unsigned station, const char *name, long value) {
    printf("%llu %u %s %ld\n", (unsigned long long)medium_now_us(&medium), station, name, value);
}

static bool send_next_file(void) {
    if (next_file == options.file_count) {
        return false;
    }
    const char *path = options.files[next_file++];
    const char *name = strrchr(path, '/') == NULL ? path : strrchr(path, '/') + 1;
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        fprintf(stderr, "send_host: cannot open %s\n", path);
        exit(2);
    }
    uint32_t size = (uint32_t)ftell(file);
    rewind(file);
    stations[0].file = file;
    event(0, "sends", (long)size);
    return send_file(&stations[0].irda.send, name, size, options.tries);
}

static size_t read_file(void *context, uint8_t *octets, size_t capacity) {
    struct station *station = context;
    return fread(octets, 1, capacity, station->file);
}

static bool begin_file(void *context, const char *name, uint32_t octets) {
    struct station *station = context;
    event(station->number, name, (long)octets);
    return options.refuse != 1;
}

static bool write_file(void *context, const uint8_t *octets, size_t count) {
    struct station *station = context;
    station->octets += count;
    if (station->file != NULL) {
        fwrite(octets, 1, count, station->file);
    }
    return options.refuse != 2;
}

static void ended(void *context, enum send_result result) {
    struct station *station = context;
    event(station->number, "ended", (long)result);
    if (station->number == 0) {
        fclose(station->file);
        send_next_file();
    }
}

static void receive(void *context, const uint8_t *octets, size_t count) {
    struct station *station = context;
    if (!station->is_gone) {
        framer_receive(&station->irda.framer, octets, count);
    }
}

static void receive_damaged(void *context) {
    struct station *station = context;
    framer_receive_damaged(&station->irda.framer);
}

static size_t fetch(void *context, uint8_t *octets, size_t capacity) {
    struct station *station = context;
    return framer_fetch(&station->irda.framer, octets, capacity);
}

static void sent(void *context) {
    struct station *station = context;
    framer_sent(&station->irda.framer);
}

static void run(void *context) {
    struct station *station = context;
    irda_run(&station->irda);
}

static bool deadline(void *context, uint32_t *at_us) {
    struct station *station = context;
    return !station->is_gone && irda_deadline(&station->irda, at_us);
}

static void add_station(unsigned number) {
    struct station *station = &stations[number];
    struct medium_driver driver = {station, receive, receive_damaged, fetch, sent, run, deadline};
    struct send_calls calls = {station, read_file, begin_file, write_file, ended};
    struct irda_config config = {
        .name = number == 0 ? "Sender" : "Receiver",
        .credits = (uint8_t)options.credits,
        .abilities = options.abilities,
        .kept = options.selective ? station->kept : NULL,
    };
    station->number = number;
    irda_init(&station->irda, medium_add(&medium, &driver), &calls, &config);
}

static void run_until(double seconds) {
    if (seconds < options.until_s) {
        medium_run(&medium, (uint64_t)(seconds * 1e6));
    }
}

static void run_all(void) {
    struct send *receiver = &stations[1].irda.send;
    if (options.go_on_s > 0) {
        run_until(options.hold_s);
        send_hold(receiver, true);
        event(1, "holds", receiver->phase);
        run_until(options.go_on_s);
        event(1, "goes_on", receiver->phase);
        send_hold(receiver, false);
    }
    if (options.vanish_s > 0) {
        run_until(options.vanish_s);
        stations[1].is_gone = true;
    }
    medium_run(&medium, (uint64_t)(options.until_s * 1e6));
}

static void counter(unsigned station, const char *name, unsigned long long value) {
    printf("%u %s %llu\n", station, name, value);
}

static void print_counters(const struct station *station) {
    const struct lap_counters *lap = &station->irda.lap.counters;
    const struct ttp *ttp = &station->irda.send.ttp;
    unsigned number = station->number;
    counter(number, "octets", station->octets);
    counter(number, "data_sent", lap->data_sent);
    counter(number, "data_repeated", lap->data_repeated);
    counter(number, "rejects_sent", lap->rejects_sent);
    counter(number, "selective_sent", lap->selective_sent);
    counter(number, "connect_repeated", lap->connect_repeated);
    counter(number, "wrong_fcs", station->irda.framer.receiver.wrong_fcs);
    counter(number, "segments_sent", ttp->counters.segments_sent);
    counter(number, "segments_received", ttp->counters.segments_received);
    counter(number, "credit_frames_sent", ttp->counters.credit_frames_sent);
    counter(number, "times_without_credit", ttp->counters.times_without_credit);
}

// The last receiver takes files, unless there is one alone without the class.
static void add_receiver(unsigned number) {
    struct station *station = &stations[number];
    add_station(number);
    if (options.receiver != 2 && number == (options.receiver + 1) / 2) {
        station->file = options.into == NULL ? NULL : fopen(options.into, "wb");
        send_receive(&station->irda.send);
    } else {
        station->irda.send.server.count = 2; // Device alone
    }
}

int main(int count, char **arguments) {
    if (!read_options(&options, count, arguments)) {
        return 2;
    }
    medium_init(&medium, &options.medium);
    add_station(0);
    for (unsigned number = 1; number <= (options.receiver + 1) / 2; number++) {
        add_receiver(number);
    }
    for (unsigned at = 0; at < options.loss_count; at++) {
        medium_lose(&medium, &options.losses[at]);
    }
    if (!send_next_file()) {
        fprintf(stderr, "send_host: no file to send: give file=PATH\n");
        return 2;
    }
    run_all();
    for (unsigned number = 0; number < medium.count; number++) {
        print_counters(&stations[number]);
    }
    for (unsigned number = 1; number < medium.count; number++) {
        if (stations[number].file != NULL) {
            fclose(stations[number].file);
        }
    }
    if (options.medium.log != NULL) {
        fclose(options.medium.log);
    }
    return 0;
}
