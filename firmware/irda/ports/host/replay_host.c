// One whole station, and frames that another one sent elsewhere; for tests by octets and for
// recordings.
//
// usage: replay_host SCRIPT
//
// There is no medium: time passes only as the script says, and while the station sends. Commands:
//
// clang-format off
//   station ADDRESS NAME CREDITS SPEEDS MAX_TURNAROUND SIZES WINDOWS BOFS MIN_TURNAROUND DISCONNECT
//   random NUMBER          the station's next random bits are these; may be given for several
//   string CLASS ATTRIBUTE OCTETS      an attribute of its IAS whose value is a string of x
//   receive                waits for files (send.h)
//   hold                   gives no credits from now
//   occupy SELECTOR        another service has this LSAP
//   frame HEX              it hears this frame, without check sequence, at its speed
//   wait US                time passes; what it sends meanwhile is printed
//   discover SLOTS | ask ADDRESS CLASS ATTRIBUTE | unlink | reset
// clang-format on
//
// Numbers of `station`, and ADDRESS and NUMBER elsewhere, are hexadecimal; CREDITS is decimal.
// Prints "sent US HEX" for each frame, and events: US EVENT VALUES.
#include <stdio.h>
#include <string.h>

#include "irda.h"

enum { RANDOMS = 64, ATTRIBUTES = 4, ANSWER_US = 60000, LINE_OCTETS = 4400 };

static struct {
    uint64_t now_us;
    uint32_t speed;
    bool starts;
    uint32_t randoms[RANDOMS];
    unsigned random_count, random_next;
    struct irda irda;
    struct ias_client asker;
    struct lmp_lsap occupant;
    struct ias_attribute attributes[ATTRIBUTES];
    char names[ATTRIBUTES][2][IAS_NAME_OCTETS + 1];
    unsigned attribute_count;
    char class_name[IAS_NAME_OCTETS + 1], attribute[IAS_NAME_OCTETS + 1];
} replay;

static uint8_t filler[2048];

static uint32_t now_us(void *context) {
    (void)context;
    return (uint32_t)replay.now_us;
}

static uint32_t random_bits(void *context) {
    (void)context;
    return replay.random_next < replay.random_count ? replay.randoms[replay.random_next++] : 0;
}

static void start_sending(void *context) {
    (void)context;
    replay.starts = true;
}

static void set_speed(void *context, uint32_t bits_per_second) {
    (void)context;
    replay.speed = bits_per_second;
}

static void event(const char *name) {
    printf("%llu %s", (unsigned long long)replay.now_us, name);
}

static size_t read_nothing(void *context, uint8_t *octets, size_t capacity) {
    (void)context;
    (void)octets;
    (void)capacity;
    return 0;
}

static bool begin_file(void *context, const char *name, uint32_t octets) {
    (void)context;
    event("file");
    printf(" %s %u\n", name, (unsigned)octets);
    return true;
}

static bool write_file(void *context, const uint8_t *octets, size_t count) {
    (void)context;
    event("content");
    printf(" ");
    for (size_t at = 0; at < count; at++) {
        printf("%02x", octets[at]);
    }
    printf("\n");
    return true;
}

static void ended(void *context, enum send_result result) {
    (void)context;
    event("ended");
    printf(" %d\n", (int)result);
}

static void answered(void *context, enum ias_result result, const struct ias_value *value) {
    (void)context;
    event("answer");
    printf(" %d %d ", (int)result, value == NULL ? -1 : (int)value->type);
    if (value != NULL && value->type == IAS_INTEGER) {
        printf("%ld", (long)value->integer);
    }
    for (size_t at = 0; value != NULL && at < value->count; at++) {
        printf("%02x", value->octets[at]);
    }
    printf("\n");
}

static const struct irda_port port = {NULL, now_us, random_bits, start_sending, set_speed};

static void pass(uint64_t octets) {
    replay.now_us += octets * 10000000u / replay.speed;
}

// Sends all that is ready, and prints its frames.
static void send_all(void) {
    static struct sir_receiver reader;
    uint8_t octet;
    replay.starts = false;
    sir_receiver_init(&reader);
    while (framer_fetch(&replay.irda.framer, &octet, 1) == 1) {
        size_t count = sir_receive(&reader, octet);
        pass(1);
        if (count > 0) {
            event("sent");
            printf(" ");
        }
        for (size_t at = 0; at < count; at++) {
            printf("%02x%s", reader.frame[at], at + 1 == count ? "\n" : "");
        }
    }
    framer_sent(&replay.irda.framer);
}

// Lets time pass until then.
static void run_until(uint64_t until_us) {
    uint32_t at_us;
    for (;;) {
        irda_run(&replay.irda);
        if (replay.starts) {
            send_all();
            continue;
        }
        bool plans = irda_deadline(&replay.irda, &at_us);
        int32_t wait_us = plans ? (int32_t)(at_us - (uint32_t)replay.now_us) : INT32_MAX;
        if (wait_us > 0 && replay.now_us + (uint32_t)wait_us > until_us) {
            break;
        }
        replay.now_us += wait_us > 0 ? (uint32_t)wait_us : 0;
    }
    replay.now_us = until_us > replay.now_us ? until_us : replay.now_us;
}

static void hear(const char *digits) {
    static uint8_t content[LINE_OCTETS / 2];
    struct sir_sender sender;
    uint8_t octet;
    unsigned value;
    size_t count = 0;
    while (sscanf(digits + 2 * count, "%2x", &value) == 1) {
        content[count++] = (uint8_t)value;
    }
    sir_begin(&sender, content, count, 3);
    while (sir_send(&sender, &octet, 1) == 1) {
        pass(1);
        framer_receive(&replay.irda.framer, &octet, 1);
    }
}

static bool add_station(const char *line) {
    static char name[32];
    static const struct send_calls calls = {NULL, read_nothing, begin_file, write_file, ended};
    unsigned address, credits, bits[7];
    if (sscanf(line, "station %x %31s %u %x %x %x %x %x %x %x", &address, name, &credits, &bits[0],
               &bits[1], &bits[2], &bits[3], &bits[4], &bits[5], &bits[6]) != 10) {
        return false;
    }
    const struct irda_config config = {
        .address = address,
        .name = name,
        .credits = (uint8_t)credits,
        .abilities = {(uint8_t)bits[0], (uint8_t)bits[1], (uint8_t)bits[2], (uint8_t)bits[3],
                      (uint8_t)bits[4], (uint8_t)bits[5], (uint8_t)bits[6]},
    };
    irda_init(&replay.irda, &port, &calls, &config);
    ias_client_init(&replay.asker, &replay.irda.lmp, answered, NULL);
    return true;
}

static bool add_string(const char *line) {
    unsigned octets, number = replay.attribute_count;
    struct ias_attribute *one = &replay.attributes[number];
    if (number == ATTRIBUTES ||
        sscanf(line, "string %60s %60s %u", replay.names[number][0], replay.names[number][1],
               &octets) != 3 ||
        octets > sizeof filler) {
        return false;
    }
    one->class_name = replay.names[number][0];
    one->name = replay.names[number][1];
    one->value = (struct ias_value){IAS_STRING, 0, filler, octets};
    replay.attribute_count++;
    replay.irda.send.server.attributes = replay.attributes;
    replay.irda.send.server.count = replay.attribute_count;
    return true;
}

static bool carry_out(const char *line) {
    unsigned number;
    unsigned long long us;
    uint64_t until_us = replay.now_us + ANSWER_US;
    if (strncmp(line, "station ", 8) == 0) {
        return add_station(line);
    } else if (strncmp(line, "string ", 7) == 0) {
        return add_string(line);
    } else if (sscanf(line, "random %x", &number) == 1 && replay.random_count < RANDOMS) {
        replay.randoms[replay.random_count++] = number;
        return true;
    } else if (strncmp(line, "frame ", 6) == 0) {
        hear(line + 6);
        until_us = replay.now_us + ANSWER_US;
    } else if (sscanf(line, "wait %llu", &us) == 1) {
        until_us = replay.now_us + us;
    } else if (strncmp(line, "receive", 7) == 0) {
        send_receive(&replay.irda.send);
        return true;
    } else if (sscanf(line, "occupy %x", &number) == 1) {
        lmp_add(&replay.irda.lmp, &replay.occupant, replay.asker.lsap.user, &replay.asker);
        lmp_listen(&replay.occupant, (uint8_t)number);
        return true;
    } else if (strncmp(line, "hold", 4) == 0) {
        send_hold(&replay.irda.send, true);
        return true;
    } else if (sscanf(line, "discover %u", &number) == 1) {
        lap_discover(&replay.irda.lap, number);
    } else if (sscanf(line, "ask %x %60s %60s", &number, replay.class_name, replay.attribute) ==
               3) {
        if (!ias_ask(&replay.asker, number, replay.class_name, replay.attribute)) {
            event("refused\n");
        }
    } else if (strncmp(line, "unlink", 6) == 0) {
        lmp_unlink(&replay.irda.lmp);
    } else if (strncmp(line, "reset", 5) == 0) {
        lap_reset(&replay.irda.lap);
    } else {
        return false;
    }
    run_until(until_us);
    return true;
}

int main(int count, char **arguments) {
    static char line[LINE_OCTETS];
    FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "replay_host: cannot open the script: give its path\n");
        return 2;
    }
    replay.speed = 9600;
    memset(filler, 'x', sizeof filler);
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\n")] = 0;
        if (!carry_out(line)) {
            fprintf(stderr, "replay_host: not a command here: %s\n", line);
            return 2;
        }
    }
    return fclose(file) != 0;
}
