// Damages what IrLAP passes up, while files go from one station to the other: the upper layers must
// bear whatever a station sends them. Build it with SANITIZE=1.
//
// usage: fuzz_host SEED ROUNDS
//
// Each round is a transfer with damaged packets, each in a block of memory of its own size. Then
// the same stations make one without damage, which has to succeed. Prints the results and packets.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "irda.h"
#include "medium.h"

enum { ROUND_US = 200000000, FILE_OCTETS = 3000, RESULTS = 8 };

struct station {
    struct irda irda;
    void (*data)(void *context, const uint8_t *octets, size_t count);
    uint32_t left;
    long result;
};

static struct medium medium;
static struct station stations[2];
static bool damages;
static uint64_t state;
static unsigned long packets, damaged;

static uint32_t draw(uint32_t below) { // xorshift64*
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (uint32_t)((state * 2685821657736338717u >> 33) % below);
}

// Changes a packet; returns its new length, at most 64 octets more.
static size_t damage(uint8_t *octets, size_t count) {
    size_t at = count > 0 ? draw((uint32_t)(count < 12 ? count : 12)) : 0;
    switch (draw(6)) {
    case 0: // a bit
        octets[at] ^= (uint8_t)(1u << draw(8));
        return count;
    case 1: // an octet
        octets[at] = (uint8_t)draw(256);
        return count;
    case 2: // an end that is cut off
        return draw((uint32_t)count + 1);
    case 3: // an end that is added
        for (size_t end = count; end < count + 64; end++) {
            octets[end] = (uint8_t)draw(256);
        }
        return count + draw(65);
    case 4: // one of IrLMP's opcodes, to some LSAP
        octets[0] = (uint8_t)(0x80 | (draw(2) != 0 ? octets[0] : draw(4)));
        octets[2] = (uint8_t)(draw(5) | draw(2) << 7);
        return count < 3 ? 3 : count;
    default: // a question, answer or unit of any length
        for (size_t end = 2; end < count + 64; end++) {
            octets[end] = (uint8_t)(draw(3) == 0 ? draw(256) : draw(6));
        }
        return 2 + draw((uint32_t)count + 62);
    }
}

static void intercept(void *context, const uint8_t *octets, size_t count) {
    struct station *station = context == &stations[0].irda.lmp ? &stations[0] : &stations[1];
    uint8_t changed[4096];
    memcpy(changed, octets, count);
    packets++;
    if (damages && draw(8) == 0) {
        damaged++;
        count = damage(changed, count);
    }
    uint8_t *block = malloc(count > 0 ? count : 1);
    memcpy(block, changed, count);
    station->data(context, block, count);
    free(block);
}

static size_t read_file(void *context, uint8_t *octets, size_t capacity) {
    struct station *station = context;
    size_t count = station->left < capacity ? station->left : capacity;
    memset(octets, 'x', count);
    station->left -= (uint32_t)count;
    return count;
}

static bool begin_file(void *context, const char *name, uint32_t octets) {
    (void)context;
    (void)octets;
    return strlen(name) <= SEND_NAME_OCTETS;
}

static bool write_file(void *context, const uint8_t *octets, size_t count) {
    uint8_t sum = 0;
    (void)context;
    for (size_t at = 0; at < count; at++) {
        sum ^= octets[at]; // reads what was passed, for the checks of addresses
    }
    return sum != 1;
}

static void ended(void *context, enum send_result result) {
    ((struct station *)context)->result = (long)result;
}

static void receive(void *context, const uint8_t *octets, size_t count) {
    framer_receive(&((struct station *)context)->irda.framer, octets, count);
}

static void receive_damaged(void *context) {
    framer_receive_damaged(&((struct station *)context)->irda.framer);
}

static size_t fetch(void *context, uint8_t *octets, size_t capacity) {
    return framer_fetch(&((struct station *)context)->irda.framer, octets, capacity);
}

static void sent(void *context) {
    framer_sent(&((struct station *)context)->irda.framer);
}

static void run(void *context) {
    irda_run(&((struct station *)context)->irda);
}

static bool deadline(void *context, uint32_t *at_us) {
    return irda_deadline(&((struct station *)context)->irda, at_us);
}

static void begin_round(uint64_t seed) {
    struct medium_config config = {.seed = seed};
    medium_init(&medium, &config);
    for (unsigned number = 0; number < 2; number++) {
        struct station *station = &stations[number];
        struct medium_driver driver = {station, receive, receive_damaged, fetch,
                                       sent,    run,     deadline};
        struct send_calls calls = {station, read_file, begin_file, write_file, ended};
        struct irda_config settings = {.name = "Station",
                                       .credits = 14,
                                       .abilities = {0x3E, 0x01, 0x01, 0x7F, 0x80, 0x10, 0x01}};
        irda_init(&station->irda, medium_add(&medium, &driver), &calls, &settings);
        station->data = station->irda.lmp.client.data;
        station->irda.lmp.client.data = intercept;
    }
    send_receive(&stations[1].irda.send);
}

// Returns how the transfer ended, or -1 if it did not.
static long transfer(void) {
    stations[0].left = FILE_OCTETS;
    stations[0].result = -1;
    send_file(&stations[0].irda.send, "file", FILE_OCTETS, 3);
    medium_run(&medium, medium_now_us(&medium) + ROUND_US);
    return stations[0].result;
}

int main(int count, char **arguments) {
    if (count != 3) {
        fprintf(stderr, "usage: fuzz_host SEED ROUNDS\n");
        return 2;
    }
    unsigned long results[RESULTS + 1] = {0};
    state = strtoull(arguments[1], NULL, 10) * 2 + 1;
    for (unsigned long round = 0; round < strtoul(arguments[2], NULL, 10); round++) {
        damages = true;
        begin_round(round + 1);
        results[1 + transfer()]++;
        damages = false;
        long result = transfer();
        if (result != SEND_DONE) {
            printf("failed after round %lu: %ld\n", round, result);
            return 1;
        }
    }
    printf("packets %lu\ndamaged %lu\nnot_ended %lu\n", packets, damaged, results[0]);
    for (unsigned result = 0; result < RESULTS; result++) {
        printf("result_%u %lu\n", result, results[1 + result]);
    }
    return 0;
}
